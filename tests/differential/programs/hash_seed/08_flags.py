# What the interpreter says of its seed.
import os
import sys

print(sys.flags.hash_randomization, os.environ.get("PYTHONHASHSEED"))
print(sys.hash_info.algorithm, sys.hash_info.width, sys.hash_info.seed_bits)
