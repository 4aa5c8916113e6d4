# Form feeds between parts and before a block.
x = 1

def f():
    return x

print(f())
