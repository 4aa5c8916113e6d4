import threading


def work():
    print("in thread")
    raise ValueError("thread failed")


thread = threading.Thread(target=work, name="worker")
thread.start()
thread.join()
print("exit code is still zero")
