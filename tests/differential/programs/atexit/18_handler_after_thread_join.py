import atexit
import threading
import time


def work():
    printed.wait()
    time.sleep(0.03)
    print("thread done")


printed = threading.Event()
atexit.register(print, "atexit after threads")
threading.Thread(target=work).start()
print("main done")
printed.set()
