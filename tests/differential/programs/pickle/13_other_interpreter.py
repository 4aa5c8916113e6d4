# A pickle of a __main__ class cannot be loaded by another program without that class.
import pickle
import subprocess
import sys


class Mine:
    pass


code = """
import pickle, sys
try:
    pickle.loads(sys.stdin.buffer.read())
except AttributeError as error:
    print("Mine" in str(error), "__main__" in str(error))
"""
run = subprocess.run([sys.executable, "-S", "-c", code], input=pickle.dumps(Mine()), capture_output=True, check=True)
print(run.stdout.decode(), end="")
