# stdin: "3 4\nword\n"
a, b = map(int, input().split())
print(a + b, input())
