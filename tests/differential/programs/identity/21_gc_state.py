import gc

print(gc.isenabled(), gc.get_threshold(), gc.get_debug())
print(gc.callbacks, gc.garbage)


class Cycle:
    def __init__(self):
        self.me = self

    def __del__(self):
        print("collected")


Cycle()
print(gc.collect() >= 1)
