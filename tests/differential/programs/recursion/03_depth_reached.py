# tag: known-difference
# How deep a function gets before RecursionError; frames beneath the program take from it.
def down(n):
    global deepest
    deepest = n
    down(n + 1)


deepest = 0
try:
    down(1)
except RecursionError:
    print(deepest)
