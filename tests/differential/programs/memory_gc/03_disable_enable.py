# With the collector off, cycles stay until collected by hand.
import gc
import weakref


class Node:
    pass


gc.disable()
node = Node()
node.me = node
ref = weakref.ref(node)
del node
print(gc.isenabled(), ref() is None)
gc.collect()
print(ref() is None)
gc.enable()
print(gc.isenabled())
