import sys

print("text waits in the text layer")
sys.stdout.buffer.write(b"bytes overtake\n")
