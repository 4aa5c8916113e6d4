# Shared memory values changed by children under a lock.
import multiprocessing


def add(total, cells, index):
    for _ in range(100):
        with total.get_lock():
            total.value += 1
    cells[index] = index * 10


context = multiprocessing.get_context("fork")
total = context.Value("i", 0)
cells = context.Array("i", 4)
children = [context.Process(target=add, args=(total, cells, index)) for index in range(4)]
for child in children:
    child.start()
for child in children:
    child.join()
print(total.value, list(cells))
