# A spawned child imports this file as __mp_main__ and finds the function again.
import multiprocessing


def describe(queue):
    queue.put((__name__, describe.__module__, multiprocessing.current_process().name))


if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    queue = context.SimpleQueue()
    child = context.Process(target=describe, args=(queue,))
    child.start()
    print(queue.get())
    child.join()
    print(child.exitcode)
