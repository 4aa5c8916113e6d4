import os
import sys

code = sys._getframe().f_code
print(code.co_name, os.path.basename(code.co_filename), code.co_filename == __file__)
print(code.co_firstlineno, code.co_flags & 0x40, sys._getframe().f_lineno)


def f():
    return sys._getframe().f_code.co_filename


print(f() == __file__)
