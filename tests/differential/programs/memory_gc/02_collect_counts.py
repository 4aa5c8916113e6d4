# After one collection, the counts of later ones are the program's own garbage.
import gc


class Node:
    pass


gc.collect()
print(gc.collect())
for n in (1, 10, 100):
    for _ in range(n):
        node = Node()
        node.me = node
    del node
    print(gc.collect() > 0, gc.collect())
