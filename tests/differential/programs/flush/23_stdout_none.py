import sys

print("first")
sys.stdout.flush()
sys.stdout = None
print("goes nowhere")
