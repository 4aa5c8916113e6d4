# stdin: "3\n1 2\n3 4\n5 6\n"
import io
import os

stream = io.BytesIO(os.read(0, os.fstat(0).st_size))
read = lambda: stream.readline().rstrip()
for _ in range(int(read())):
    print(sum(map(int, read().split())))
