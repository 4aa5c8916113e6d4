# Facts of the process: session, umask, priority, working folder.
import os
import sys

mask = os.umask(0o22)
print(oct(mask), os.getpriority(os.PRIO_PROCESS, 0), os.path.realpath(".") == os.path.realpath(os.path.dirname(sys.argv[0]) or "."))
print(os.isatty(0), os.isatty(1), len(sys.argv), os.getpgid(0) == os.getpgrp(), sys.stdin.fileno(), sys.stdout.fileno())
print(sys.argv == sys.orig_argv[1:], os.path.basename(sys.executable).startswith("python"))
