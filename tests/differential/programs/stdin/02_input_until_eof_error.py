# stdin: "1\n2\n3\n"
total = 0
try:
    while True:
        total += int(input())
except EOFError as error:
    print(total, error)
