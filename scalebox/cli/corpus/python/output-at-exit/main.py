import atexit

atexit.register(print, "done")
