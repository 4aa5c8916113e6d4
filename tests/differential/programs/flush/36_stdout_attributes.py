import sys

for stream in (sys.stdin, sys.stdout, sys.stderr):
    print(stream.name, stream.mode, stream.fileno(), stream.line_buffering, stream.write_through, stream.newlines)
print(type(sys.stdout).__name__, type(sys.stdout.buffer).__name__, type(sys.stdout.buffer.raw).__name__)
print(sys.stdout is sys.__stdout__, sys.stdin is sys.__stdin__, sys.stderr is sys.__stderr__)
