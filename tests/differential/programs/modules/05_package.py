# A package with relative imports and a submodule.
import os

os.makedirs("pack/inner")
with open("pack/__init__.py", "w") as source:
    source.write("from .one import ONE\n")
with open("pack/one.py", "w") as source:
    source.write("ONE = 1\n")
with open("pack/inner/__init__.py", "w") as source:
    source.write("from ..one import ONE\nTWO = ONE + 1\n")
import pack.inner

print(pack.ONE, pack.inner.TWO, pack.__package__, pack.inner.__package__, len(pack.__path__))
