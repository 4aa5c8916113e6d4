# needs: numpy
# numpy's unseeded stream is not a well known one and not shared with a new interpreter.
import subprocess
import sys

import numpy

mine = numpy.random.random()
print(any(numpy.random.RandomState(seed).random_sample() == mine for seed in range(200)))
code = "import numpy; print(repr(float(numpy.random.random())))"
other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
print(float(other.stdout) == mine)
