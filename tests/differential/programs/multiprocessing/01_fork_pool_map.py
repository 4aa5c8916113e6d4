# A fork pool maps a function of __main__ over work in order.
import multiprocessing


def square(n):
    return n * n


if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(pool.map(square, range(10)))
        print(pool.apply(square, (12,)))
