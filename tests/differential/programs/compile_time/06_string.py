# tag: compile
# A string that does not end on its line.
print("never
