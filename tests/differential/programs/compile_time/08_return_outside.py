# tag: compile
# return outside a function is found when compiling, not when parsing.
print("never")
return 0
