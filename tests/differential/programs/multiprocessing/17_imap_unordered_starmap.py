# The other ways to map.
import multiprocessing
from operator import add


def cube(n):
    return n**3


if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(3) as pool:
        print(sorted(pool.imap_unordered(cube, range(6), chunksize=2)))
        print(pool.starmap(add, [(1, 2), (3, 4)]))
        print(pool.map_async(cube, [5]).get(timeout=5))
