# pkgutil lists the working folder's modules.
import os
import pkgutil

for name in ("alpha", "beta"):
    with open(f"{name}.py", "w") as source:
        source.write("")
os.mkdir("gamma")
with open("gamma/__init__.py", "w") as source:
    source.write("")
print([(module.name, module.ispkg) for module in pkgutil.iter_modules(["."])])
print(pkgutil.resolve_name("os.path:join").__name__)
