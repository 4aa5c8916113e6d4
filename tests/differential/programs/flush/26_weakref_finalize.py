import weakref


class Thing:
    pass


first, second = Thing(), Thing()
weakref.finalize(first, print, "finalize first")
weakref.finalize(second, print, "finalize second")
del first
print("end of main")
