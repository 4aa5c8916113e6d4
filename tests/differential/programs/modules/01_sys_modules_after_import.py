# Importing a name puts it, and its package, in sys.modules.
import importlib.util
import json.decoder
import sys

for name in ("json", "json.decoder", "importlib.util", "sys", "__main__", "builtins"):
    print(name, name in sys.modules)
print(json.__spec__.name, json.__package__, json.decoder.__name__, importlib.util.__name__)
