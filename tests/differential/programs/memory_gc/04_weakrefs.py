# Weak references, their callbacks, and weak containers.
import weakref


class Thing:
    pass


thing = Thing()
ref = weakref.ref(thing, lambda _: print("callback"))
table = weakref.WeakValueDictionary(a=thing)
group = weakref.WeakSet([thing])
print(ref() is thing, len(table), len(group), weakref.getweakrefcount(thing) >= 1)
del thing
print(ref(), len(table), len(group))
