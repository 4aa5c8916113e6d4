out = open(1, "w", closefd=False)
out.write("x" * 10 + "\n")
out.close()
print("still open")
