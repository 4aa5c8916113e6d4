# A seed of the wrong type is refused; uncaught.
import random

random.seed(1)
print(random.random())
random.seed([1, 2, 3])
