# tag: compile
# IndentationError is a SyntaxError of its own name.
x = 1
    y = 2
