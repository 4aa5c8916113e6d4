print("x")
raise MemoryError
