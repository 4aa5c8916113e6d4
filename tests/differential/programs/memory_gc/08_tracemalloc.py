# tracemalloc is off at start; on, it sees this file's allocation.
import tracemalloc

print(tracemalloc.is_tracing(), tracemalloc.get_traced_memory())
tracemalloc.start()
block = bytearray(1_000_000)
now, peak = tracemalloc.get_traced_memory()
print(now >= 1_000_000, peak >= now, tracemalloc.get_object_traceback(block)[0].filename.endswith("main.py"))
tracemalloc.stop()
print(tracemalloc.is_tracing())
