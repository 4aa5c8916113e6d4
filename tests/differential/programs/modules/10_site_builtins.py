# What the site module adds to the builtins.
import builtins

for name in ("exit", "quit", "copyright", "credits", "license", "help"):
    print(name, hasattr(builtins, name), type(getattr(builtins, name, None)).__name__)
print(repr(exit), repr(help))
