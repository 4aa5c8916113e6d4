import os
import sys

print(os.path.isabs(sys.executable), os.path.basename(sys.executable).startswith("python"))
print(sys.prefix == sys.exec_prefix, sys.base_prefix == sys.prefix)
