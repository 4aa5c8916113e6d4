# stdin: "123456 7\n"
# stdin-times: 20000
import sys

rows = [tuple(map(int, line.split())) for line in sys.stdin]
print(len(rows), sum(a * b for a, b in rows))
