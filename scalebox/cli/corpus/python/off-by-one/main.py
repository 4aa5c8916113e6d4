n = int(input())
print(sum(range(n)))
