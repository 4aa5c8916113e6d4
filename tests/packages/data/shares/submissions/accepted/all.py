part, whole = map(int, input().split())
print(part / whole if whole else "none")
