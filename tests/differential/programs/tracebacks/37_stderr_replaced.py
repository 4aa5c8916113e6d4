import io
import sys

real = sys.stderr
sys.stderr = io.StringIO()
print("kept")
raise ValueError("into a string")
