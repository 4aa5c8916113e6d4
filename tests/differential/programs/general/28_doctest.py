# doctest finds the examples of this file and names its functions under __main__.
import doctest


def double(n):
    """
    >>> double(2)
    4
    >>> double(3)
    7
    """
    return 2 * n


for test in doctest.DocTestFinder().find(__import__("__main__")):
    print(test.name, test.lineno, len(test.examples))
lines = []
runner = doctest.DocTestRunner()
for test in doctest.DocTestFinder().find(double, globs=globals()):
    print(runner.run(test, out=lines.append))
print([line for line in "".join(lines).splitlines() if "main.py" not in line])
