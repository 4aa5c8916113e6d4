# stdin: b"\xff\n"
print(open(0, encoding="utf-8").read())
