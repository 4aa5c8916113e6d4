# A wrong program that takes "some" element gets the same one every time.
names = {"alice", "bob", "carol", "dave"}
print(next(iter(names)), names.pop(), min(names, key=len))
