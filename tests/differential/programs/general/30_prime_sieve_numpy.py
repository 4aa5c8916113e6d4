# needs: numpy
# stdin: "100000\n"
# A sieve with numpy, and facts of its first import.
import numpy as np

n = int(input())
sieve = np.ones(n + 1, dtype=bool)
sieve[:2] = False
for p in range(2, int(n**0.5) + 1):
    if sieve[p]:
        sieve[p * p :: p] = False
print(int(sieve.sum()), np.geterr(), np.get_printoptions()["precision"], (np.arange(4).reshape(2, 2) @ [1, 2]).tolist())
