# Exit codes of children: normal, sys.exit, an exception, a signal.
import multiprocessing
import os
import signal
import sys


def fine():
    pass


def leave():
    sys.exit(3)


def fail():
    sys.stderr = open(os.devnull, "w")
    raise ValueError("child")


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def words():
    sys.stderr = open(os.devnull, "w")
    sys.exit("a message")


context = multiprocessing.get_context("fork")
for target in (fine, leave, fail, die, words):
    child = context.Process(target=target)
    child.start()
    child.join()
    print(target.__name__, child.exitcode, child.is_alive())
