# A traceback caught in the program starts at this file's module frame.
import os
import sys


def fail():
    raise LookupError("here")


try:
    fail()
except LookupError as error:
    step = error.__traceback__
    while step:
        code = step.tb_frame.f_code
        print(os.path.basename(code.co_filename), code.co_name, step.tb_lineno)
        step = step.tb_next
