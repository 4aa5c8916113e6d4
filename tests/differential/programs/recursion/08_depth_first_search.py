# stdin: "30000\n"
# A depth-first search down a path, as contest programs write it.
import sys

sys.setrecursionlimit(10**6)
n = int(sys.stdin.readline())
near = [[] for _ in range(n)]
for node in range(n - 1):
    near[node].append(node + 1)
    near[node + 1].append(node)
size = [0] * n


def visit(node, parent):
    size[node] = 1
    for other in near[node]:
        if other != parent:
            visit(other, node)
            size[node] += size[other]


visit(0, -1)
print(size[0], size[n // 2], size[-1])
