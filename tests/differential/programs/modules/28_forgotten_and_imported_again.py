# What a program takes out of sys.modules is loaded anew.
import bisect
import random
import re
import sys

random.seed(5)
first = (random.random(), bisect, re)
for name in ("random", "bisect", "re"):
    del sys.modules[name]
import bisect as bisect_again
import random as random_again
import string
import re as re_again

random_again.seed(5)
print(random_again.random() == first[0], random_again is random, bisect_again is bisect, re_again is re)
print(string.Template("$a").substitute(a=1))
