# RecursionError through __getattr__, __eq__, __hash__ and properties.
class Odd:
    def __getattr__(self, name):
        return getattr(self, name + "x")

    def __eq__(self, other):
        return self == other

    def __hash__(self):
        return hash(self)

    @property
    def value(self):
        return self.value


for attempt in (lambda: Odd().missing, lambda: Odd() == 1, lambda: {Odd()}, lambda: Odd().value):
    try:
        attempt()
    except RecursionError as error:
        print(type(error).__name__)
