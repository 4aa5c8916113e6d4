print("\n" * (1 << 20))
print("done")
