"""Answers guesses with higher, lower or right; as many guesses as the flag says."""

import sys

with open(sys.argv[1]) as file:
    secret = int(file.read())
for _ in range(int(sys.argv[4])):
    line = sys.stdin.readline().strip()
    if not line.isdigit():
        sys.exit(43)
    guess = int(line)
    if guess == secret:
        print("right", flush=True)
        sys.exit(42)
    print("higher" if guess < secret else "lower", flush=True)
sys.exit(43)
