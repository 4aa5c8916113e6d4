# stdin: "8\n3 1 4 1 5 9 2 6\n"
# The longest increasing subsequence.
from bisect import bisect_left

input()
tails = []
for value in map(int, input().split()):
    place = bisect_left(tails, value)
    tails[place : place + 1] = [value]
print(len(tails), tails)
