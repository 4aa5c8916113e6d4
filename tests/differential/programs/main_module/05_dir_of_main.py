import sys

print(sorted(name for name in dir(sys.modules["__main__"]) if name != "sys"))
