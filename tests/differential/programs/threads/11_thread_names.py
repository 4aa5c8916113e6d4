import threading

names = []
threads = [threading.Thread(target=lambda: names.append(threading.current_thread().name)) for _ in range(3)]
for thread in threads:
    thread.start()
    thread.join()
print(names)
print(threading.current_thread().name)
