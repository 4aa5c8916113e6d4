import threading
import time


def work():
    printed.wait()
    time.sleep(0.03)
    print("worker")


printed = threading.Event()
threading.Thread(target=work).start()
print("main")
printed.set()
