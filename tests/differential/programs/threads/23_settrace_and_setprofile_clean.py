import sys
import threading

seen = []


def work():
    seen.append((sys.gettrace(), sys.getprofile()))


thread = threading.Thread(target=work)
thread.start()
thread.join()
print(seen, threading.gettrace(), threading.getprofile())
