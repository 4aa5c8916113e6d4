# tag: compile
# A decimal number with a leading zero.
print(007)
