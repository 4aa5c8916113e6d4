# stdin: "abc\n"
# A contest program that crashes on its input.
total = 0
print("total so far", total)
total += int(input())
