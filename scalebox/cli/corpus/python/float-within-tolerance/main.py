print(f"{2 ** 0.5:.8f}")
