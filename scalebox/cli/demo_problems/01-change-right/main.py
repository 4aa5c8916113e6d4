COINS = (1, 7, 10)

amount = int(input())
fewest = [0] * (amount + 1)
for part in range(1, amount + 1):
    fewest[part] = 1 + min(fewest[part - coin] for coin in COINS if coin <= part)
print(fewest[amount])
