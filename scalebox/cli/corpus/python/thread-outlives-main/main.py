import threading
import time


def late():
    time.sleep(0.05)
    print("done")


threading.Thread(target=late).start()
