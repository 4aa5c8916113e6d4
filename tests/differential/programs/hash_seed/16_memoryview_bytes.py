# Sets of bytes and a hashed memoryview.
print(list({b"one", b"two", b"three", b"four", b"five"}))
print(hash(memoryview(b"abc")) == hash(b"abc"))
