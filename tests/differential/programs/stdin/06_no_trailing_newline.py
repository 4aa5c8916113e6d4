# stdin: "a b\nc d"
print(repr(input()), repr(input()))
try:
    input()
except EOFError:
    print("end")
