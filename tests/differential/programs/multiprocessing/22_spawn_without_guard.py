# skip: stderr: two processes write their tracebacks, in an order that is not fixed
# Without a main guard a spawned child fails with RuntimeError and the parent sees exit code 1.
import multiprocessing

context = multiprocessing.get_context("spawn")
child = context.Process(target=print, args=("never printed",))
child.start()
child.join()
print("exit code", child.exitcode)
