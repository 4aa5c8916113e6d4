import sys

for stream in (sys.stdin, sys.stdout, sys.stderr):
    print(stream.encoding, stream.errors)
