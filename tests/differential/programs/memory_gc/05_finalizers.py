# weakref.finalize runs at exit, last made first.
import weakref


class Thing:
    pass


kept = Thing()
gone = Thing()
for n in range(3):
    weakref.finalize(kept, print, "at exit", n)
weakref.finalize(gone, print, "gone")
del gone
print("end of program")
