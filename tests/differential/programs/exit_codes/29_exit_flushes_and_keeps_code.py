import sys

sys.stdout.write("x" * 100_000)
sys.exit(2)
