print("a mark stands before this line", __name__)
print(len("é"))
