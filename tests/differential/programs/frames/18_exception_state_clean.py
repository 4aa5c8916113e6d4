# No exception is being handled when the program starts.
import sys
import traceback

print(sys.exc_info(), traceback.format_exc().strip())
try:
    raise
except RuntimeError as error:
    print(error, error.__context__)
try:
    raise ValueError("first")
except ValueError as error:
    print(error.__context__, error.__traceback__.tb_frame is sys._getframe(), error.__traceback__.tb_next)
