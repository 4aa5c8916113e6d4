data = b"x" * (512 << 20)
print(len(data))
