import sys

try:
    raise ValueError("lost")
finally:
    print("finally")
    sys.exit(8)
