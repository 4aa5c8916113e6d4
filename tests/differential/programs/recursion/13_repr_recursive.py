# repr of structures that contain themselves, and of a deep one.
loop = [1]
loop.append({"loop": loop})
print(loop)
deep = []
for _ in range(100_000):
    deep = [deep]
try:
    repr(deep)
except RecursionError as error:
    print(type(error).__name__)
while deep:
    deep = deep[0]
