# The last entries of the stack are this file's.
import os
import traceback


def where():
    return [(os.path.basename(entry.filename), entry.lineno, entry.name, entry.line) for entry in traceback.extract_stack()[-2:]]


for entry in where():
    print(entry)
