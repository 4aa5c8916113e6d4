# tag: compile
# A line continuation at the end of the file.
x = 1 + \