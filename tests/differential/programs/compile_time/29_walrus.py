# tag: compile
# An unparenthesized walrus as a statement.
x := 5
