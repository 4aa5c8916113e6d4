import atexit

atexit.register(print, "atexit ran")
try:
    raise KeyboardInterrupt("by hand")
finally:
    print("finally")
