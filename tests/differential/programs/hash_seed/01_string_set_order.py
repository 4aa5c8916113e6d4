# The order of a set of strings.
words = {"apple", "banana", "cherry", "damson", "elder", "fig", "grape", "hazel"}
print(list(words))
words.discard("fig")
words.add("iris")
print(list(words), words.pop())
