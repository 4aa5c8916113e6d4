from multiprocessing import Pool


def square(n):
    return n * n


if __name__ == "__main__":
    with Pool(2) as pool:
        print(sum(pool.map(square, range(10))))
