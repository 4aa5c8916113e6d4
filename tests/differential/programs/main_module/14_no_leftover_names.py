import sys

frame = sys._getframe()
print(frame.f_code.co_name, frame.f_lineno, frame.f_trace)
print(frame.f_globals is globals(), frame.f_locals is globals(), frame.f_builtins is vars(__builtins__))
print([name for name in globals() if not name.startswith("__")])
print([name for name in sys.modules if "main" in name.lower() or "scale" in name.lower()])
