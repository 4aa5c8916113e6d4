import sys

try:
    sys.exit(3)
except SystemExit as error:
    print("caught", error.code, error.args)
try:
    sys.exit("text")
except BaseException as error:
    print(type(error).__name__, error.code)
