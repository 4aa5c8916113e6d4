# __del__ of locals at once, of a cycle at collection, of globals at the end.
import gc


class Loud:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("del", self.name)


def f():
    Loud("temporary")
    local = Loud("local")
    print("leaving f")


f()
a, b = Loud("cycle a"), Loud("cycle b")
a.other, b.other = b, a
del a, b
print("before collect")
gc.collect()
kept = Loud("global")
print("end")
