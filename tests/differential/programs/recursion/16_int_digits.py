# Conversions of more digits than 4300 follow the interpreter's setting.
import sys

print(sys.get_int_max_str_digits(), sys.flags.int_max_str_digits)
print(len(str(10**5000)), int("7" * 5000) % 1009)
sys.set_int_max_str_digits(4300)
try:
    str(10**5000)
except ValueError as error:
    print(type(error).__name__)
