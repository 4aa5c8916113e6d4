# Interning does not change a hash; equal strings made apart hash alike.
import sys

made = "".join(["sp", "am"])
print(hash(made) == hash("spam"), sys.intern(made) is sys.intern("spam"), hash("spam"))
