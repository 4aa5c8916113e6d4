import atexit

atexit.register(print, "one")
atexit.register(print, "two")
print("start")
atexit._run_exitfuncs()
print("end")
