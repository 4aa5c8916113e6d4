import atexit
import io
import os
import sys

buffer = io.BytesIO()
sys.stdout = io.TextIOWrapper(buffer, write_through=True)
atexit.register(lambda: os.write(1, buffer.getvalue()))
print("fast")
print("output", 12)
