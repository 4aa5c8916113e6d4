# A blocked signal stays pending until it is unblocked; no signal is blocked at start.
import os
import signal

print(sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])))
seen = []
signal.signal(signal.SIGUSR1, lambda number, frame: seen.append(number))
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
os.kill(os.getpid(), signal.SIGUSR1)
print(seen, [member.name for member in signal.sigpending()])
signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGUSR1])
print([signal.Signals(number).name for number in seen])
