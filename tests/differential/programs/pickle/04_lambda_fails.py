# Lambdas and local classes cannot be pickled.
import pickle


def make():
    class Local:
        pass

    return Local


for value in (lambda: 0, make(), make()()):
    try:
        pickle.dumps(value)
    except (pickle.PicklingError, AttributeError) as error:
        print(type(error).__name__, "pickle" in str(error))
