# An exception raised in a handler interrupts the main program where it stands.
import signal


class TimeUp(Exception):
    pass


def expire(number, frame):
    raise TimeUp(f"in {frame.f_code.co_name}")


def spin():
    while True:
        pass


signal.signal(signal.SIGALRM, expire)
signal.setitimer(signal.ITIMER_REAL, 0.02)
try:
    spin()
except TimeUp as error:
    print("caught", error)
