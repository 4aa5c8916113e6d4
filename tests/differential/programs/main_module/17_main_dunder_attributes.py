print(__name__, __doc__, __package__, __spec__)
print(type(__loader__).__name__)
print(type(__builtins__).__name__)
print("__cached__" in globals() and __cached__)
