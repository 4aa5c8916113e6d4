import locale

print(locale.setlocale(locale.LC_CTYPE), locale.setlocale(locale.LC_NUMERIC), locale.getlocale())
print(f"{1234567.891:n}", locale.str(3.5), locale.localeconv()["decimal_point"])
print(sorted(["b", "B", "a", "é"], key=locale.strxfrm))
