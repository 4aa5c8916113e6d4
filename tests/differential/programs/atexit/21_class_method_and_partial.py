import atexit
import functools


class Log:
    def __init__(self):
        self.lines = []

    def close(self, mark):
        print(mark, *self.lines)


log = Log()
atexit.register(log.close, "closing")
atexit.register(functools.partial(log.lines.append, "late"))
log.lines.append("early")
