# stdin: "abc"
with open(0) as first:
    print(first.read())
try:
    open(0)
except OSError as error:
    print(type(error).__name__, error.errno)
