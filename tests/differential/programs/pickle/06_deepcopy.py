# deepcopy keeps shared parts shared and cycles closed.
import copy


class Node:
    def __init__(self, name):
        self.name, self.links = name, []


a, b = Node("a"), Node("b")
a.links += [b, b]
b.links.append(a)
twin = copy.deepcopy(a)
print(twin is a, twin.links[0] is twin.links[1], twin.links[0].links[0] is twin, type(twin) is Node)
