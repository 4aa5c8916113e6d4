# Instances are independent of each other and of the module.
import random

a, b = random.Random(1), random.Random(1)
random.seed(1)
print([a.random(), a.random()] == [b.random(), b.random()] == [random.random(), random.random()])
print(random.random.__self__ is random._inst, type(random._inst).__name__)
