# The interpreter's flags.
import sys

for name in ("debug", "inspect", "interactive", "optimize", "dont_write_bytecode", "no_user_site", "no_site",
             "ignore_environment", "verbose", "bytes_warning", "quiet", "isolated", "dev_mode", "utf8_mode", "safe_path"):
    print(name, getattr(sys.flags, name))
print(sys.dont_write_bytecode, sys.pycache_prefix, sys.warnoptions, sys._xoptions)
