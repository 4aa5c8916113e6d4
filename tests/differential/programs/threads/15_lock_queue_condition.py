import queue
import threading

jobs, done = queue.Queue(), []


def work():
    while (item := jobs.get()) is not None:
        done.append(item * 2)
        jobs.task_done()


threads = [threading.Thread(target=work) for _ in range(3)]
for thread in threads:
    thread.start()
for n in range(20):
    jobs.put(n)
jobs.join()
for _ in threads:
    jobs.put(None)
for thread in threads:
    thread.join()
print(sorted(done))
