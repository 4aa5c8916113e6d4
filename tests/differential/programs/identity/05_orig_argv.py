import os
import sys

print(len(sys.orig_argv), sys.orig_argv[1:])
print(os.path.basename(sys.orig_argv[0]).startswith("python"))
