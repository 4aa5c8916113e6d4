# Threads that import the same modules at once all get them whole.
import threading

seen = []


def work():
    import collections
    import heapq
    import random
    import typing

    seen.append((collections.Counter("ab")["a"], heapq.heappop([1]), bool(random.random() < 1), typing.List[int].__args__))


threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(len(seen), set(seen))
