# tag: compile
# A parenthesis that is never closed.
print("never")
print((1, 2)
