# inspect sees the frame, its source and its arguments.
import inspect


def f(a, *rest, key=None):
    frame = inspect.currentframe()
    given = {name: value for name, value in inspect.getargvalues(frame).locals.items() if name != "frame"}
    return inspect.getframeinfo(frame).code_context, given, inspect.stack()[0].function


print(f(1, 2, 3, key="k"))
print(inspect.stack()[0].function, inspect.stack()[0].lineno, inspect.getmodule(inspect.currentframe()).__name__)
