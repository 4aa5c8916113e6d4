# importlib: import_module, reload, find_spec, invalidate_caches.
import importlib
import importlib.util

with open("changing.py", "w") as source:
    source.write("VALUE = 1\n")
importlib.invalidate_caches()
changing = importlib.import_module("changing")
with open("changing.py", "w") as source:
    source.write("VALUE = 'second'\n")
print(changing.VALUE, importlib.reload(changing).VALUE)
print(importlib.util.find_spec("no_such_module_here"), importlib.util.find_spec("json").name)
print(importlib.util.find_spec("changing").origin.endswith("changing.py"))
