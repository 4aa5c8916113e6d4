numbers = list(map(int, input().split()))
print(sum(numbers) / len(numbers))
