import threading


def hook(args):
    print(args.exc_type.__name__, args.exc_value, args.thread.name)


threading.excepthook = hook
thread = threading.Thread(target=lambda: 1 // 0, name="T")
thread.start()
thread.join()
