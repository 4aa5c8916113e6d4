# this comment is part of the source
with open(__file__) as file:
    text = file.read()
print(text.splitlines()[0])
print(len(text), text.count("comment"))
