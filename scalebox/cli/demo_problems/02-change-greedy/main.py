amount = int(input())
count = 0
for coin in (10, 7, 1):
    count += amount // coin
    amount %= coin
print(count)
