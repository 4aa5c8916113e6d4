# The unseeded stream is no well known one: not that of a small integer seed, nor repeated by a new interpreter.
import random
import subprocess
import sys

mine = random.random()
print(any(random.Random(seed).random() == mine for seed in range(2000)), random.Random(None).random() == mine)
other = subprocess.run([sys.executable, "-c", "import random; print(random.random())"], capture_output=True, text=True)
print(float(other.stdout) == mine)
