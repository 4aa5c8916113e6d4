# Functions of __main__ travel by reference.
import pickle


def helper(n):
    return n + 1


for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
    print(protocol, pickle.loads(pickle.dumps(helper, protocol)) is helper, len(pickle.dumps(helper, protocol)))
