# Recursion of 960 levels fits in the default limit.
def total(n):
    return 0 if n == 0 else n + total(n - 1)


print(total(960))
