import threading
import time


def work():
    time.sleep(0.03)
    print("thread finishes")


threading.Thread(target=work).start()
raise RuntimeError("main failed")
