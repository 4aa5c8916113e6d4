import os

print("flushed", flush=True)
with os.fdopen(1, "w") as out:
    out.write("by fdopen\n")
print("descriptor is closed")
