# stdin: "only one\n"
print(input())
print(input())
