# Distributions from a seed.
import random

random.seed("a string seed")
print(random.gauss(0, 1), random.expovariate(2), random.betavariate(1, 2), random.triangular(0, 1, 0.5))
print(random.lognormvariate(0, 1), random.paretovariate(3), random.vonmisesvariate(0, 4))
