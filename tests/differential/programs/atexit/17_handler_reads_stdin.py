# stdin: "first\nsecond\n"
import atexit

atexit.register(lambda: print("at exit:", input()))
print("main:", input())
