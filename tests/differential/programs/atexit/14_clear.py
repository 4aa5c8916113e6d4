import atexit

atexit.register(print, "gone")
atexit._clear()
print("main")
