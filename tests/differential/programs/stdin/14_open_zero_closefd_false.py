# stdin: "p q\nr\n"
with open(0, "rb", closefd=False) as raw:
    print(raw.read())
with open(0, closefd=False) as again:
    print(repr(again.read()))
