import signal
import threading

print(threading.current_thread().name, threading.current_thread() is threading.main_thread())
print(threading.active_count(), [t.name for t in threading.enumerate()])
print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
print(signal.getsignal(signal.SIGPIPE), signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGCHLD))
print(threading.main_thread().ident == threading.get_ident())
print(threading.get_native_id() == __import__("os").getpid())
