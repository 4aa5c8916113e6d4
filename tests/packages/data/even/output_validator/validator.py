"""Accepts any even number of at least as many digits as the input says."""

import sys

with open(sys.argv[1]) as file:
    digits = int(file.read())
words = sys.stdin.read().split()
fine = len(words) == 1 and words[0].isdigit() and len(words[0]) >= digits and int(words[0]) % 2 == 0
if "nonzero" in sys.argv[4:]:
    fine = fine and int(words[0]) != 0
sys.exit(42 if fine else 43)
