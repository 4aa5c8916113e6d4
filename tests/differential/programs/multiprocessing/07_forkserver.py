# A child of the fork server runs a function of this file.
import multiprocessing


def double(queue, n):
    queue.put(n * 2)


if __name__ == "__main__":
    context = multiprocessing.get_context("forkserver")
    queue = context.SimpleQueue()
    child = context.Process(target=double, args=(queue, 21))
    child.start()
    print(queue.get())
    child.join()
    print(child.exitcode)
