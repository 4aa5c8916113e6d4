import sys

sys.stdout.write("text one\n")
sys.stdout.flush()
sys.stdout.buffer.write(b"bytes two\n")
sys.stdout.write("text three\n")
