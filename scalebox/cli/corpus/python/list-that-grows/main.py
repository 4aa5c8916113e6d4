rows = []
while True:
    rows.append(bytearray(b"x") * (1 << 20))
