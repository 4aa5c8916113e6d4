# The names that the module has before the program adds any, in order.
print([name for name in globals()])
print({name: type(value).__name__ for name, value in list(globals().items())})
