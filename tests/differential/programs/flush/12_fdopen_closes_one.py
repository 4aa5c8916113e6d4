import os

print("python buffer", flush=True)
out = os.fdopen(1, "w")
out.write("by fdopen\n")
out.close()
