# stdin: "a\nb\nc\n"
import fileinput

for line in fileinput.input():
    print(fileinput.lineno(), fileinput.isstdin(), line, end="")
