# Shuffles, samples and choices from a seed.
import random

random.seed(7)
cards = list(range(20))
random.shuffle(cards)
print(cards, random.sample(range(1000), 5), random.choices("abc", weights=[1, 2, 3], k=8), random.choice("xyz"))
