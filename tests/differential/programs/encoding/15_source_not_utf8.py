# tag: compile
# skip: stderr: it names the absolute path of the file
print("never")
text = "café"
