# Nested classes, bound methods and class methods by qualified name.
import pickle


class Outer:
    class Inner:
        n = 7

    def __init__(self, n):
        self.n = n

    def get(self):
        return self.n

    @classmethod
    def build(cls):
        return cls(11)


print(pickle.loads(pickle.dumps(Outer.Inner)) is Outer.Inner)
print(pickle.loads(pickle.dumps(Outer(5).get))(), pickle.loads(pickle.dumps(Outer.build))().n)
