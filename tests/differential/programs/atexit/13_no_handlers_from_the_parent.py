import atexit

print(atexit._ncallbacks())
atexit.register(print, "mine")
print(atexit._ncallbacks())
