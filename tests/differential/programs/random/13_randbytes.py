# randbytes and a bytes seed.
import random

random.seed(b"bytes seed")
print(random.randbytes(12).hex(), random.randrange(0, 1000, 7))
random.seed(2.5)
print(random.random())
