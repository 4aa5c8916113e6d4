# A shared memory block written by a child is seen by the parent.
import multiprocessing
from multiprocessing import shared_memory


def fill(block):
    block.buf[:5] = b"hello"


context = multiprocessing.get_context("fork")
block = shared_memory.SharedMemory(create=True, size=16)
child = context.Process(target=fill, args=(block,))
child.start()
child.join()
print(bytes(block.buf[:5]), block.size >= 16)
block.close()
block.unlink()
