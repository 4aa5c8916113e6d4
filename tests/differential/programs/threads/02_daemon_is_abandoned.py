import threading
import time


def work():
    print("started", flush=True)
    ready.set()
    time.sleep(60)
    print("never")


ready = threading.Event()
threading.Thread(target=work, daemon=True).start()
ready.wait()
print("main ends")
