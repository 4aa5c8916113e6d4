# An uncaught MemoryError is a traceback and exit code 1.
print("before")
block = bytearray(1 << 62)
