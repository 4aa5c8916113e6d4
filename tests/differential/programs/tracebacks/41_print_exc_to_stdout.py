import os
import sys
import traceback

here = os.path.dirname(os.path.abspath(__file__)) + "/"


class Text:
    def write(self, text):
        sys.stdout.write(text.replace(here, ""))

    def flush(self):
        pass


def compute(values):
    return sum(values) / len(values)


try:
    compute([])
except ZeroDivisionError:
    traceback.print_exc(file=Text())
