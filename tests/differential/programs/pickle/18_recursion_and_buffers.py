# Recursive structures, and out-of-band buffers of protocol 5.
import pickle

loop = [1]
loop.append(loop)
back = pickle.loads(pickle.dumps(loop))
print(back[1] is back)
buffers = []
data = pickle.dumps(pickle.PickleBuffer(bytearray(b"abc")), protocol=5, buffer_callback=buffers.append)
print(len(buffers), bytes(pickle.loads(data, buffers=buffers)))
