# The environment a program sees, and what it passes on.
import os
import subprocess

for name in ("PATH", "LANG", "TZ", "PYTHONHASHSEED", "PYTHONINTMAXSTRDIGITS", "OMP_NUM_THREADS", "PYTHONPATH", "PYTHONSTARTUP", "LD_PRELOAD"):
    print(name, os.environ.get(name))
print(sorted(name for name in os.environ if name.startswith("PYTHON")), os.environ.get("HOME") == os.getcwd())
os.environ["GIVEN"] = "yes"
print(subprocess.run("echo $GIVEN", shell=True, capture_output=True, text=True).stdout, os.getenv("GIVEN"))
