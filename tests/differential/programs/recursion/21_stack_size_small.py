# Too small a thread stack is refused; a small legal one runs a shallow thread.
import threading

try:
    threading.stack_size(1024)
except ValueError as error:
    print(error)
threading.stack_size(256 * 1024)
worker = threading.Thread(target=print, args=("in the thread",))
worker.start()
worker.join()
