import sys

print(sys.flags.hash_randomization, sys.flags.int_max_str_digits, sys.get_int_max_str_digits(), sys.flags.utf8_mode)
print(len(str(10**5000)))
print(sys.dont_write_bytecode, sys.warnoptions, sys._xoptions)
