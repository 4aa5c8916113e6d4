# A program may patch library modules and builtins for itself; nothing was patched before.
import builtins
import json
import math
import time

print(print is builtins.print, math.sqrt.__module__, time.sleep.__name__, open.__module__, input.__name__)
builtins.print = lambda *words, **_: __import__("sys").stdout.write("patched " + " ".join(map(str, words)) + "\n")
math.sqrt = lambda x: "root"
print(math.sqrt(4), json.dumps({"a": 1}))
