import atexit
import math

values = [1, 4, 9]


def report():
    print([math.isqrt(v) for v in values], __name__, "values" in globals())


atexit.register(report)
