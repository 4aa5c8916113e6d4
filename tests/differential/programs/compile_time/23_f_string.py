# tag: compile
# An f-string with an empty expression.
print(f"{}")
