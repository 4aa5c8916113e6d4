# needs: numpy
# numpy's generators from a seed.
import numpy

generator = numpy.random.default_rng(2024)
print(generator.random(3).tolist(), generator.integers(0, 10, 6).tolist(), generator.choice(5, 2, replace=False).tolist())
print(numpy.random.Generator(numpy.random.MT19937(5)).random())
