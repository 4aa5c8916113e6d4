part, whole = map(int, input().split())
print(part / whole)
