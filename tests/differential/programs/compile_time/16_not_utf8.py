# tag: compile
# skip: stderr: the message holds the path of the working folder
# A byte that is not UTF-8, and no encoding cookie.
print("café")
