# Recursion past the default limit fails and ends the program.
def total(n):
    return 0 if n == 0 else n + total(n - 1)


print("start")
print(total(1001))
