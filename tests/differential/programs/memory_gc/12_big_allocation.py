# Tens of megabytes, touched, checked and given back.
block = bytearray(24 * 1024 * 1024)
block[::4096] = b"\x01" * (len(block) // 4096)
print(len(block), block.count(1))
del block
numbers = list(range(200_000))
print(sum(numbers))
