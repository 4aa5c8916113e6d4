# stdin: "real\n"
import io
import sys

sys.stdin = io.StringIO("fake one\nfake two\n")
print(input(), sys.stdin.readline(), end="")
print(sys.__stdin__.read(), end="")
