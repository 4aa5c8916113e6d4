# Named semaphores work: Lock, RLock, Semaphore, BoundedSemaphore.
import multiprocessing

context = multiprocessing.get_context("fork")
lock = context.Lock()
print(lock.acquire(), lock.acquire(block=False))
lock.release()
again = context.RLock()
print(again.acquire(), again.acquire(block=False))
two = context.Semaphore(2)
print([two.acquire(block=False) for _ in range(3)])
bounded = context.BoundedSemaphore(1)
try:
    bounded.release()
except ValueError as error:
    print(type(error).__name__)
