# stdin: "0123456789abcdef\n"
# stdin-times: 20000
print(input())
