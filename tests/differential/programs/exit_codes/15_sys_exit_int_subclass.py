import enum
import sys


class Code(enum.IntEnum):
    BAD = 9


sys.exit(Code.BAD)
