# A queue carries objects from a child in order.
import multiprocessing


def produce(queue):
    for n in range(5):
        queue.put({"n": n, "text": "x" * n})
    queue.put(None)


context = multiprocessing.get_context("fork")
queue = context.Queue()
child = context.Process(target=produce, args=(queue,))
child.start()
for item in iter(queue.get, None):
    print(item)
child.join()
print(child.exitcode)
