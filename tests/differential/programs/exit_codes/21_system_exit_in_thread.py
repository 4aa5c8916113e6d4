import threading


def work():
    print("in thread")
    raise SystemExit(3)


thread = threading.Thread(target=work)
thread.start()
thread.join()
print("main goes on")
