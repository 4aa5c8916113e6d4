import sys

sys.set_int_max_str_digits(700)
int("9" * 701)
