class Node:
    pass


def function():
    pass


print(Node.__module__, function.__module__, (lambda: 0).__module__)
print(Node, repr(Node.__qualname__), Node().__class__.__name__)
