# set_wakeup_fd starts unset and receives the signal's number.
import os
import signal

reader, writer = os.pipe()
os.set_blocking(writer, False)
print(signal.set_wakeup_fd(writer))
signal.signal(signal.SIGUSR1, lambda number, frame: None)
os.kill(os.getpid(), signal.SIGUSR1)
print(list(os.read(reader, 1)) == [signal.SIGUSR1], signal.set_wakeup_fd(-1) == writer)
