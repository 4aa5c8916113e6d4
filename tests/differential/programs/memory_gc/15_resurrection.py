# An object may come back from its own finalizer, once.
import gc


class Phoenix:
    def __del__(self):
        saved.append(self)
        print("finalized")


saved = []
bird = Phoenix()
del bird
print(len(saved))
saved.clear()
gc.collect()
print(len(saved))
saved.clear()
