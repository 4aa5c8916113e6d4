# stdin: "Ann\n"
name = input("name? ")
print("hello", name)
