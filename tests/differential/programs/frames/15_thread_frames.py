# sys._current_frames has one entry per thread; a thread's stack begins in threading.
import os
import sys
import threading
import traceback

print(len(sys._current_frames()), threading.active_count(), threading.current_thread() is threading.main_thread())
print(sys._current_frames()[threading.get_ident()] is sys._getframe())


def show():
    print([(os.path.basename(entry.filename), entry.name) for entry in traceback.extract_stack()][-2:])


worker = threading.Thread(target=show)
worker.start()
worker.join()
print(threading.main_thread().name, threading.main_thread().daemon)
