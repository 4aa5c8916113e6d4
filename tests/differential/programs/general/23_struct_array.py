# Packed numbers.
import array
import struct
import sys

print(struct.pack("<IhB", 1, -2, 255), struct.calcsize("@cI"), struct.unpack(">d", struct.pack(">d", 0.1)))
numbers = array.array("i", range(5))
numbers.byteswap()
print(numbers, numbers.itemsize, sys.byteorder, array.array("d", [1.5]).tobytes().hex())
