print("one", flush=True)
with open("/dev/fd/1", "a") as out:
    out.write("two\n")
print("three")
