try:
    int("x")
except ValueError as error:
    raise RuntimeError("wrapped") from error
