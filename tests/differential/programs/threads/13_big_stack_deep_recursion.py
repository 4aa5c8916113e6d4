import sys
import threading

sys.setrecursionlimit(200_000)
threading.stack_size(256 * 1024 * 1024)


def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)


thread = threading.Thread(target=lambda: print(depth(50_000)))
thread.start()
thread.join()
