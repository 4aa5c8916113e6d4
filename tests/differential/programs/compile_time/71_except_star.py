# Exception groups: the uncaught rest ends the program.
try:
    raise ExceptionGroup("many", [ValueError(1), KeyError("k")])
except* ValueError as group:
    print(group.exceptions)
