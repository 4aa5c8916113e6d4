import threading

print(threading.main_thread() is threading.current_thread(), threading.main_thread().name)
print(threading.main_thread().daemon, threading.main_thread().is_alive(), threading.active_count())
print(type(threading.current_thread()).__name__)
