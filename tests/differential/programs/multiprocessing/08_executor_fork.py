# ProcessPoolExecutor keeps order and carries an exception back.
import multiprocessing
from concurrent.futures import ProcessPoolExecutor


def invert(n):
    return 60 // n


if __name__ == "__main__":
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("fork")) as pool:
        print(list(pool.map(invert, [1, 2, 3, 4])))
        failed = pool.submit(invert, 0)
        print(repr(failed.exception()))
