# Warnings: the filters at start, and where a DeprecationWarning of the program's own goes.
import sys
import warnings

print([(entry[0], entry[2].__name__, str(entry[3])) for entry in warnings.filters])
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    warnings.warn("mine", UserWarning)
print([(str(entry.message), entry.category.__name__, entry.lineno) for entry in caught])
print(warnings.showwarning.__module__, "warnings" in sys.modules)
