# Endless recursion is caught as RecursionError, and the program goes on.
def endless(n):
    return endless(n + 1) + 1


try:
    endless(0)
except RecursionError as error:
    print(type(error).__name__, "maximum recursion depth exceeded" in str(error))
print("went on")
