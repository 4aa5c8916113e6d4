# Default and highest protocol, and that every protocol round-trips.
import pickle

print(pickle.HIGHEST_PROTOCOL, pickle.DEFAULT_PROTOCOL >= 4)
value = {"a": [1, 2.5, None, True], "b": {1, 2}, "c": (b"bytes", "текст")}
for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
    print(protocol, pickle.loads(pickle.dumps(value, protocol)) == value)
