# tag: compile
print("never")
def f(:
    pass
