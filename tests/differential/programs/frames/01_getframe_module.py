# The module's own frame.
import os
import sys

frame = sys._getframe(0)
print(os.path.basename(frame.f_code.co_filename), frame.f_code.co_name, frame.f_code.co_qualname, frame.f_lineno)
print(frame.f_globals is globals(), frame.f_locals is globals(), frame.f_builtins is vars(__builtins__))
