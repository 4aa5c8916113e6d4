# An interpreter started from here has the same seed.
import subprocess
import sys

code = "print(hash('abc'), list({'one', 'two', 'three'}))"
run = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
print(run.stdout == f"{hash('abc')} {list({'one', 'two', 'three'})}\n", run.stdout, end="")
