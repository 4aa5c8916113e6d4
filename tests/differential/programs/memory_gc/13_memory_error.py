# Absurd sizes raise at once and can be caught.
for make in (lambda: bytearray(1 << 60), lambda: [0] * (1 << 60), lambda: "x" * (1 << 62), lambda: bytes(1 << 63)):
    try:
        make()
    except (MemoryError, OverflowError) as error:
        print(type(error).__name__)
