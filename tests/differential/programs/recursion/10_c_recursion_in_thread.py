# Recursion through C code (map and max) in a thread with a large stack.
import sys
import threading


def depth(n):
    return 0 if n == 0 else 1 + max(map(depth, [n - 1]))


def main():
    print(depth(4_000))


sys.setrecursionlimit(100_000)
threading.stack_size(256 * 1024 * 1024)
worker = threading.Thread(target=main)
worker.start()
worker.join()
