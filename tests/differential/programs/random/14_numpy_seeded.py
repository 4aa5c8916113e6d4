# needs: numpy
# numpy's legacy stream from a seed.
import numpy

numpy.random.seed(42)
print(numpy.random.rand(3).tolist(), numpy.random.randint(0, 100, 5).tolist())
print(numpy.random.permutation(8).tolist(), numpy.random.randn(2).tolist())
