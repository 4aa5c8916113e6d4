# stdin: "20000\n"
# Much output through one write.
import sys

n = int(sys.stdin.readline())
sys.stdout.write("\n".join(str(i * i % 97) for i in range(n)) + "\n")
