# Reference counts of the program's own objects.
import sys


class Thing:
    pass


thing = Thing()
print(sys.getrefcount(thing))
also = [thing, thing]
print(sys.getrefcount(thing))
del also
print(sys.getrefcount(thing), sys.getrefcount([]))
