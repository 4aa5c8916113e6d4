# With SIG_DFL restored, writing to a closed pipe kills.
import os
import signal

signal.signal(signal.SIGPIPE, signal.SIG_DFL)
reader, writer = os.pipe()
os.close(reader)
print("before", flush=True)
os.write(writer, b"x")
print("not reached")
