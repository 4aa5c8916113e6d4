# stdin: "2000\n"
# Numbers beyond the usual digit limit are printed whole.
import math

n = int(input())
text = str(math.factorial(n))
print(len(text), text[:20], sum(map(int, text)))
print(int("9" * 5000) + 1 == 10**5000)
