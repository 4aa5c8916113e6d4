# A handler set with signal.signal runs when the alarm fires.
import signal
import time

seen = []
signal.signal(signal.SIGALRM, lambda number, frame: seen.append(number))
signal.setitimer(signal.ITIMER_REAL, 0.02)
while not seen:
    time.sleep(0.002)
print([signal.Signals(number).name for number in seen])
