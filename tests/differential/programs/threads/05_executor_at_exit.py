import threading
from concurrent.futures import ThreadPoolExecutor


def work(n):
    printed.wait()
    print("job", n)


printed = threading.Event()
pool = ThreadPoolExecutor(max_workers=1)
for n in range(3):
    pool.submit(work, n)
print("main ends")
printed.set()
