low, high = 1, 100
while True:
    middle = (low + high) // 2
    print(middle, flush=True)
    reply = input()
    if reply == "right":
        break
    if reply == "higher":
        low = middle + 1
    else:
        high = middle - 1
