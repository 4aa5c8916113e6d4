# An exception in a worker comes back with its type, text and remote traceback.
import multiprocessing


class Refused(Exception):
    pass


def work(n):
    if n == 2:
        raise Refused(n)
    return n


if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(2) as pool:
        try:
            pool.map(work, range(4))
        except Refused as error:
            print(type(error).__module__, error.args, "main.py" in str(error.__cause__))
