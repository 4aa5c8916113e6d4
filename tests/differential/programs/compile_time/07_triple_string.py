# tag: compile
# A triple-quoted string that never ends.
print("""never
