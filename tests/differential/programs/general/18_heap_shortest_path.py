# stdin: "4 5\n1 2 7\n1 3 2\n3 2 3\n2 4 1\n3 4 8\n"
# Dijkstra, read quickly.
import heapq
import sys

data = list(map(int, sys.stdin.buffer.read().split()))
n, m = data[:2]
near = [[] for _ in range(n + 1)]
for u, v, w in zip(data[2::3], data[3::3], data[4::3]):
    near[u].append((v, w))
    near[v].append((u, w))
best = [10**9] * (n + 1)
best[1], heap = 0, [(0, 1)]
while heap:
    cost, u = heapq.heappop(heap)
    if cost == best[u]:
        for v, w in near[u]:
            if cost + w < best[v]:
                best[v] = cost + w
                heapq.heappush(heap, (best[v], v))
print(*best[1:])
