# A saved state replays the stream; the state has the usual shape.
import random

state = random.getstate()
first = [random.random() for _ in range(3)]
random.setstate(state)
print([random.random() for _ in range(3)] == first, state[0], len(state[1]), state[2])
