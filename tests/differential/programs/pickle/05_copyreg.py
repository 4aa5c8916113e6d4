# copyreg decides how a class is reduced.
import copyreg
import pickle


class Money:
    def __init__(self, cents):
        self.cents = cents


def rebuild(cents):
    return Money(cents + 1)


print(Money in copyreg.dispatch_table)
copyreg.pickle(Money, lambda money: (rebuild, (money.cents,)))
print(pickle.loads(pickle.dumps(Money(5))).cents)
