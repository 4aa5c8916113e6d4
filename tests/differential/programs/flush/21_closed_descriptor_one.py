import os

print("lost in the buffer")
os.close(1)
