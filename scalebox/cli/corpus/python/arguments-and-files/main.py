import sys

with open("data/numbers.txt") as numbers:
    print(sys.argv[1], sum(map(int, numbers)))
