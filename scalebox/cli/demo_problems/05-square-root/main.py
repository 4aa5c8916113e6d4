x = float(input())
guess = x
for _ in range(60):
    guess = (guess + x / guess) / 2
print(f"{guess:.9f}")
