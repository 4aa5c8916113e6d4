# C functions, structures, and output through C's own buffer.
import ctypes

library = ctypes.CDLL(None)
print(library.abs(-5), library.strlen(b"hello"), ctypes.sizeof(ctypes.c_long))


class Pair(ctypes.Structure):
    _fields_ = [("a", ctypes.c_byte), ("b", ctypes.c_int)]


print(ctypes.sizeof(Pair), Pair(1, 2).b, flush=True)
library.printf(b"from C %d\n", 3)
library.fflush(None)
print("end")
