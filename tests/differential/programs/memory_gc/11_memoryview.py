# Views share memory and keep it from being resized.
data = bytearray(b"abcdef")
view = memoryview(data)[1:4]
view[0] = ord("X")
print(data, view.tolist(), view.contiguous, view.readonly)
try:
    data.append(1)
except BufferError as error:
    print(type(error).__name__)
view.release()
del view
data.append(33)
print(data, memoryview(b"12345678").cast("I").tolist())
