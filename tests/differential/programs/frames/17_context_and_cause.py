# Chained exceptions are printed with both messages; the last line is the last error.
import sys
import traceback

try:
    try:
        {}["a"]
    except KeyError as error:
        raise ValueError("bad key") from error
except ValueError as error:
    text = traceback.format_exc()
    print(text.count("Traceback"), "direct cause" in text, type(error.__cause__).__name__, error.__context__ is error.__cause__)
print(sys.exc_info(), getattr(sys, "last_value", "no last_value"))
raise ValueError("last") from None
