import sys
import threading
import time


def work():
    time.sleep(0.03)
    print("thread finishes first")


threading.Thread(target=work).start()
sys.exit(5)
