import os

a, b = map(int, input().split())
print(a + b, flush=True)
os.abort()
