# Ties in a Counter follow insertion, and insertion from a set follows the seed.
from collections import Counter

print(Counter("mississippi").most_common())
print(Counter(set("mississippi")).most_common(2))
