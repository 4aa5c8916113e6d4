import os

print(sorted(name for name in os.environ if name != "LC_CTYPE"))
for name in ("PATH", "LANG", "TZ", "PYTHONHASHSEED", "OMP_NUM_THREADS"):
    print(name, os.environ.get(name), os.environb.get(name.encode()))
