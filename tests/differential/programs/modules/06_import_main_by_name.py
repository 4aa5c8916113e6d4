# Importing this file by its own name makes a second module.
import sys

print("running as", __name__)
if __name__ == "__main__":
    import main

    print(main is sys.modules["__main__"], main.__name__, main.VALUE)
VALUE = 5
