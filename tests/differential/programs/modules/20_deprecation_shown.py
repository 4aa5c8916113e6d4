# A DeprecationWarning raised in __main__ is shown, once, on stderr.
import warnings

for _ in range(2):
    warnings.warn("old", DeprecationWarning)
print("went on")
