# A seeded stream is the version's own stream.
import random

random.seed(12345)
print([random.random() for _ in range(5)])
print([random.randint(1, 100) for _ in range(10)], random.getrandbits(70))
