# A child that is not daemonic is waited for at exit, and its output comes before the end.
import multiprocessing
import time


def late():
    time.sleep(0.05)
    print("child done", flush=True)


multiprocessing.get_context("fork").Process(target=late).start()
print("main done", flush=True)
