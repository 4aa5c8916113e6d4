# A SyntaxWarning goes to stderr and the program runs.
x = 5
print(x is 5)
