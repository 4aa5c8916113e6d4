# A cycle that nothing names any more is finalised at the end, though __main__ has no names left.
def make():
    class Noisy:
        def __del__(self):
            print("finalised")

    one = Noisy()
    one.me = one


make()
del make
