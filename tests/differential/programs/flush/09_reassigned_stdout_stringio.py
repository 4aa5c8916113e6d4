import io
import sys

print("before")
sys.stdout = io.StringIO()
print("into the string")
text = sys.stdout.getvalue()
sys.stdout = sys.__stdout__
print(len(text))
