# The Python implementation finds __main__ as the C one does.
import io
import pickle


class Thing:
    pass


stream = io.BytesIO()
pickle._Pickler(stream, 4).dump([Thing, Thing()])
slow = stream.getvalue()
print(slow == pickle.dumps([Thing, Thing()], 4))
kind, thing = pickle._Unpickler(io.BytesIO(slow)).load()
print(kind is Thing, type(thing) is Thing)
