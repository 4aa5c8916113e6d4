# A thread with a large stack and deep recursion, the usual contest recipe.
import sys
import threading


def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)


def main():
    print(depth(50_000))


print(threading.stack_size())
sys.setrecursionlimit(1 << 20)
threading.stack_size(64 * 1024 * 1024)
worker = threading.Thread(target=main)
worker.start()
worker.join()
print(threading.stack_size())
