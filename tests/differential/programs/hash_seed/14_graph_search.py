# stdin: "5 6\na b\na c\nb d\nc d\nd e\na e\n"
# A search over sets of neighbours: the path found depends on set order.
n, m = map(int, input().split())
near = {}
for _ in range(m):
    u, v = input().split()
    near.setdefault(u, set()).add(v)
    near.setdefault(v, set()).add(u)
seen, stack = [], ["a"]
while stack:
    node = stack.pop()
    if node not in seen:
        seen.append(node)
        stack.extend(near[node])
print(*seen)
