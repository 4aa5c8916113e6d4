import _thread
import threading

thread = threading.Thread(target=_thread.interrupt_main)
try:
    thread.start()
    thread.join()
    for _ in range(10_000_000):
        pass
    print("not interrupted")
except KeyboardInterrupt:
    print("interrupted")
