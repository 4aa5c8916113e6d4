import sys

print("before")
sys.exit("a message")
