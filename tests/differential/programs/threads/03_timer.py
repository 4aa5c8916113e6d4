import threading


def fire():
    printed.wait()
    print("timer fired")


printed = threading.Event()
threading.Timer(0.02, fire).start()
print("main ends")
printed.set()
