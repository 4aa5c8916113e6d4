# stdin: "1 2 3\n"
with open("/dev/stdin") as file:
    print(sum(map(int, file.read().split())))
