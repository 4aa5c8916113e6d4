# What getsignal says of every signal before the program touches any.
import signal

for number in sorted(signal.valid_signals()):
    handler = signal.getsignal(number)
    if handler is signal.default_int_handler:
        name = "default_int_handler"
    elif handler is None:
        name = "not installed from Python"
    else:
        name = signal.Handlers(handler).name
    print(int(number), name)
