print(type(exit).__name__, type(quit).__name__, type(help).__name__)
print(repr(exit))
print(exit.eof if hasattr(exit, "eof") else None)
