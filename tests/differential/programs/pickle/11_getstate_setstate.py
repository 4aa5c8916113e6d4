# __getstate__, __setstate__ and __reduce__ are honoured.
import pickle


class Counter:
    def __init__(self):
        self.n, self.cache = 3, object()

    def __getstate__(self):
        return {"n": self.n}

    def __setstate__(self, state):
        self.__dict__.update(state, cache="rebuilt")


class Singleton:
    def __reduce__(self):
        return "ONLY"


ONLY = Singleton()
back = pickle.loads(pickle.dumps(Counter()))
print(back.n, back.cache, pickle.loads(pickle.dumps(ONLY)) is ONLY)
