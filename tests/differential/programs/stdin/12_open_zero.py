# stdin: "x\ny\n"
print(open(0).read().split())
