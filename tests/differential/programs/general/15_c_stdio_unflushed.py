# C's buffered output is written at exit, after Python's.
import ctypes

ctypes.CDLL(None).printf(b"C last\n")
print("Python first", flush=True)
