# Asserts are compiled in; the message is the last line of stderr.
print(__debug__)


def check(n):
    assert n < 3, f"too big: {n}"
    return n


print(check(1))
check(7)
