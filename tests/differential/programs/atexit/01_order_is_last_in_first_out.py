import atexit

for name in ("first", "second", "third"):
    atexit.register(print, name)
print("main ends")
