# stdin: "one\r\ntwo\r\n"
# CRLF source: strings over lines hold plain newlines, line numbers are right.
import sys

text = """a
b"""
print(repr(text), sys._getframe().f_lineno)
if True:
    print(repr(input()), \
          repr(input()))
