# multiprocessing children of one parent: whether their unseeded streams differ.
import multiprocessing
import random


def draw(queue):
    queue.put(random.random())


context = multiprocessing.get_context("fork")
queue = context.SimpleQueue()
children = [context.Process(target=draw, args=(queue,)) for _ in range(3)]
for child in children:
    child.start()
values = {queue.get() for _ in children}
for child in children:
    child.join()
print("distinct:", len(values))
