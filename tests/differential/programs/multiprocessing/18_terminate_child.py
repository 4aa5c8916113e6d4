# terminate and kill end a child by the named signal.
import multiprocessing
import time

context = multiprocessing.get_context("fork")
for method in ("terminate", "kill"):
    child = context.Process(target=time.sleep, args=(30,))
    child.start()
    getattr(child, method)()
    child.join()
    print(method, child.exitcode)
