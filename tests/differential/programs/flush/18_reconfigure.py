import sys

sys.stdout.reconfigure(line_buffering=True, newline="\r\n")
print("dos line")
sys.stdout.reconfigure(newline="\n", write_through=True)
print("unix line")
print(sys.stdout.line_buffering, sys.stdout.write_through)
