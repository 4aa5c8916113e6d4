import threading
import time


def work():
    while threading.main_thread().is_alive():
        time.sleep(0.002)
    print("main thread is over")


threading.Thread(target=work).start()
print("main")
