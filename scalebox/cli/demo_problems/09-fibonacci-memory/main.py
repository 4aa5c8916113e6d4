n = int(input())
a, b, seen = 0, 1, []
for _ in range(n):
    a, b = b, a + b
    seen.append(bytearray(b"f") * (1 << 20))
print(a)
