# At module level locals() is globals(), and __name__ is __main__ in the frame's globals.
import sys

print(locals() is globals(), vars() is globals(), sys._getframe().f_globals["__name__"], __name__)
print(globals() is sys.modules["__main__"].__dict__, __builtins__ is sys.modules["builtins"])
