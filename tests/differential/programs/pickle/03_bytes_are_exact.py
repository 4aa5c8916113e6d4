# The very bytes of a pickle are the same.
import pickle


class Empty:
    pass


for value in (1, "text", [1, (2, 3)], {"k": b"v"}, Empty, Empty()):
    print(pickle.dumps(value, 4).hex())
