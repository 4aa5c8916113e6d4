# The order of a large set, as a checksum.
import zlib

words = {f"word{n}" for n in range(5000)}
print(zlib.crc32(",".join(words).encode()))
for n in range(0, 5000, 3):
    words.remove(f"word{n}")
print(zlib.crc32(",".join(words).encode()))
