import os

print("buffered by python")
os.write(1, b"written at once\n")
