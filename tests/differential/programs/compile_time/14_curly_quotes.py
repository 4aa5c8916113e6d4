# tag: compile
# Typographic quotes.
print(“never”)
