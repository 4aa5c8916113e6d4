# An assertion of a tuple is always true, with a warning on stderr.
assert (1 == 2, "message")
print("reached")
