# A buffered line printed before the fork is printed once, because Process flushes.
import multiprocessing


def speak():
    print("child")


print("before")
child = multiprocessing.get_context("fork").Process(target=speak)
child.start()
child.join()
print("after")
