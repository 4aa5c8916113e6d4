import io
import sys

print("seen")
sys.stdout = io.StringIO()
print("unseen")
