# An event set by a child wakes the parent; a barrier lets both pass.
import multiprocessing


def child_side(event, barrier):
    event.set()
    barrier.wait(5)


context = multiprocessing.get_context("fork")
event = context.Event()
barrier = context.Barrier(2)
child = context.Process(target=child_side, args=(event, barrier))
child.start()
print(event.wait(5), event.is_set())
barrier.wait(5)
child.join()
print(child.exitcode, barrier.broken)
