# stdin: "5\n"
# Modules with side effects on first import have them here: this, antigravity's cousin __hello__, and star imports.
import contextlib
import io

text = io.StringIO()
with contextlib.redirect_stdout(text):
    import this
print(text.getvalue().splitlines()[0], len(this.s))
from math import *
from itertools import *

print(factorial(int(input())), list(islice(count(3), 2)), floor(e))
