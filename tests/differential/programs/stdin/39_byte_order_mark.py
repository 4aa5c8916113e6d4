# stdin: b"\xef\xbb\xbf12\n"
text = input()
print(ascii(text))
print(int(text))
