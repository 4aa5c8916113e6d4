# Source nested too deep fails with an exception that can be caught.
for source in ("-" * 100_000 + "1", "(" * 150 + "1" + ")" * 150, "lambda: " * 20_000 + "1"):
    try:
        compile(source, "deep.py", "eval")
        print("compiled")
    except (MemoryError, RecursionError, SyntaxError) as error:
        print(type(error).__name__)
