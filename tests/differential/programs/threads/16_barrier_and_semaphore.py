import threading

barrier = threading.Barrier(3)
gate = threading.Semaphore(0)
ranks = []


def work():
    ranks.append(barrier.wait())
    gate.release()


for _ in range(3):
    threading.Thread(target=work).start()
for _ in range(3):
    gate.acquire()
print(sorted(ranks))
