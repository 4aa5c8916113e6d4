import sys
import threading


def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)


def main():
    sys.setrecursionlimit(200_000)
    assert depth(50_000) == 50_000
    print("done")


threading.stack_size(256 << 20)
thread = threading.Thread(target=main)
thread.start()
thread.join()
