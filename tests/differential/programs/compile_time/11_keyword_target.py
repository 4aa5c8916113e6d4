# tag: compile
# Assignment to a keyword.
None = 1
