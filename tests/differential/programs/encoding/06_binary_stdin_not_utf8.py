# stdin: b"\x80\x81\xff\n"
import sys

data = sys.stdin.buffer.read()
print(list(data))
sys.stdout.flush()
sys.stdout.buffer.write(data)
