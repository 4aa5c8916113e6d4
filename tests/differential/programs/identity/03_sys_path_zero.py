import os
import sys

print(sys.path[0] == os.getcwd(), sys.path[0] == os.path.dirname(os.path.abspath(__file__)))
print("" in sys.path)
