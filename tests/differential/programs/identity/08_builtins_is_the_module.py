import builtins

print(__builtins__ is builtins, builtins.__name__)
builtins.shared = 12
print(shared)
del builtins.shared
try:
    shared
except NameError as error:
    print(error)
