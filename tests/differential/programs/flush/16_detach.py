import sys

print("before", flush=True)
raw = sys.stdout.detach()
raw.write(b"bytes after detach\n")
raw.flush()
