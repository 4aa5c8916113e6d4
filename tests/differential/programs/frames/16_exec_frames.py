# exec and eval: names, file names and globals of their frames.
import sys

exec("def f():\n    return __import__('sys')._getframe().f_code.co_filename")
print(f(), f.__globals__ is globals(), f.__module__)
print(eval("sys._getframe().f_code.co_name"), eval("sys._getframe().f_back is here", {"sys": sys, "here": sys._getframe()}))
scope = {}
exec("x = 1", scope)
print(sorted(scope))
