# The same for modules that programs often import: the file in the program's folder wins.
names = ["heapq", "bisect", "random", "json", "fractions", "statistics", "string", "queue", "typing", "decimal"]
for name in names:
    with open(f"{name}.py", "w") as source:
        source.write(f"SHADOW = {name!r}\n")
for name in names:
    print(name, getattr(__import__(name), "SHADOW", "library"))
