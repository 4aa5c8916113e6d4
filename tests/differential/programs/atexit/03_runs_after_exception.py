import atexit

atexit.register(print, "cleanup")
raise ValueError("main failed")
