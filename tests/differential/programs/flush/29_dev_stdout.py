import sys

print("one", flush=True)
with open("/dev/stdout", "w") as out:
    out.write("two\n")
print("three")
