# Set literals are constants of the code: their order must not depend on how the code object reached the interpreter.
for word in {"apple", "banana", "cherry", "damson", "elder"}:
    print(word, end=" ")
print()
print(*{"z", "a", "m", "q"}, *{"one", "two", "three", "four", "five", "six", "seven"})
print(*{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}, *{"red", "green", "blue", "cyan", "pink", "grey"})
print(*{"N", "E", "S", "W"}, *{"add", "sub", "mul", "div"}, *{"up", "down", "left", "right"})
print(*{"()", "[]", "{}"}, *{"+", "-", "*", "/", "%"}, *{"a", "e", "i", "o", "u"}, *{8, 16, 24, 0, 32})
