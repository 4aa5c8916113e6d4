# Facts of this file's code object.
import os
import sys

code = sys._getframe().f_code
print(os.path.basename(code.co_filename), code.co_name, code.co_firstlineno, code.co_flags & 0xF)
print(code.co_names[:4], os.path.basename((lambda: 0).__code__.co_filename))
