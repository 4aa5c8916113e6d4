# Exceptions of this file keep their arguments.
import pickle


class Broken(ValueError):
    def __init__(self, where, why):
        super().__init__(where, why)
        self.where = where


try:
    raise Broken("here", 3)
except Broken as error:
    back = pickle.loads(pickle.dumps(error))
    print(repr(back), back.where, back.__traceback__)
