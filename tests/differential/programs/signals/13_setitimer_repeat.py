# An interval timer fires repeatedly until it is disarmed.
import signal
import time

count = 0


def tick(number, frame):
    global count
    count += 1
    if count == 3:
        signal.setitimer(signal.ITIMER_REAL, 0)


signal.signal(signal.SIGALRM, tick)
signal.setitimer(signal.ITIMER_REAL, 0.005, 0.005)
while count < 3:
    time.sleep(0.002)
print(count, signal.getitimer(signal.ITIMER_REAL))
