import os
import sys


def hook(kind, value, trace):
    while trace:
        code = trace.tb_frame.f_code
        print(os.path.basename(code.co_filename), trace.tb_lineno, code.co_name)
        trace = trace.tb_next


sys.excepthook = hook


def f():
    g()


def g():
    raise ValueError


f()
