try:
    raise ExceptionGroup("g", [ValueError("v"), TypeError("t")])
except* ValueError as group:
    print("took", group.exceptions)
