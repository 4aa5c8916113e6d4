import threading

timer = threading.Timer(30, print, args=("never",))
timer.start()
timer.cancel()
print("cancelled")
