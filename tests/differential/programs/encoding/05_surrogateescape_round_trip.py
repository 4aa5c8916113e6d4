# stdin: b"caf\xe9 \xff\xfe\n"
text = input()
print(ascii(text))
print(text)
