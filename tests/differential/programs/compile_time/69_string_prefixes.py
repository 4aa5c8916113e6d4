# Kinds of literals.
value = 3
print(r"\n", b"\x41", rb"\d", f"{value!r:>4} {value=}", "a" "b", 0x_FF, 1_000.5, 3j, 0b11, 0o17, "\N{BULLET}", ...)
