# A child interpreter: output, input, exit code, and standard error apart.
import subprocess
import sys

code = "import sys; print(sys.stdin.read().upper(), __name__, len(sys.argv)); sys.stderr.write('e'); sys.exit(5)"
run = subprocess.run([sys.executable, "-S", "-c", code, "arg"], input="text", capture_output=True, text=True)
print(run.returncode, repr(run.stdout), repr(run.stderr))
print(subprocess.run("exit 3", shell=True).returncode)
