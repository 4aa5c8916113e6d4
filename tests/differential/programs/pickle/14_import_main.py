# import __main__ gives this very module, and names are found through it.
import __main__
import pickle
import sys


class Here:
    pass


print(__main__ is sys.modules["__main__"], __main__.Here is Here, __main__.__dict__ is globals())
print(pickle.whichmodule(Here, "Here"), pickle.loads(b"c__main__\nHere\n.") is Here)
