# The program is the main process, has no parent process object and no children.
import multiprocessing
import os

print(multiprocessing.current_process().name, multiprocessing.parent_process())
print(multiprocessing.active_children(), multiprocessing.current_process().daemon)


def child_side():
    me = multiprocessing.current_process()
    print(me.name, me.daemon, multiprocessing.parent_process().name, flush=True)
    print(multiprocessing.parent_process().pid == os.getppid(), flush=True)


context = multiprocessing.get_context("fork")
for _ in range(2):
    child = context.Process(target=child_side)
    child.start()
    child.join()
