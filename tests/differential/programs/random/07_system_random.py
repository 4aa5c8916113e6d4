# SystemRandom has no state and no seed.
import random

system = random.SystemRandom()
print(0 <= system.random() < 1, system.getrandbits(0), 1 <= system.randint(1, 6) <= 6)
system.seed(1)
try:
    system.getstate()
except NotImplementedError as error:
    print(error)
