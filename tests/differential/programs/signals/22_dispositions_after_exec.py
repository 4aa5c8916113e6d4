# A new interpreter started from here sees the same dispositions a shell would give it.
import subprocess
import sys

code = """
import signal
print(sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])))
print([number for number in sorted(signal.valid_signals()) if signal.getsignal(number) is signal.SIG_IGN])
"""
print(subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True).stdout, end="")
