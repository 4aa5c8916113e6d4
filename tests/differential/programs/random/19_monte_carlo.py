# stdin: "2000\n"
# A seeded simulation of a judged kind.
import random

random.seed(99)
throws = int(input())
inside = sum(random.random() ** 2 + random.random() ** 2 <= 1 for _ in range(throws))
print(inside, 4 * inside / throws)
