import threading


def work(mark):
    for _ in range(500):
        with lock:
            print(mark * 20)


lock = threading.Lock()
thread = threading.Thread(target=work, args=("a",))
thread.start()
thread.join()
work("b")
