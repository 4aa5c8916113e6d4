# Orders of results of set operations.
left, right = set("abcdefghij"), set("fghijklmno")
for result in (left | right, left & right, left - right, left ^ right):
    print("".join(result))
