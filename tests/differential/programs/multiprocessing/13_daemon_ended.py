# A daemonic child is ended when the program ends; the program's exit code is its own.
import multiprocessing
import sys
import time


def forever():
    time.sleep(30)


multiprocessing.get_context("fork").Process(target=forever, daemon=True).start()
print("leaving")
sys.exit(4)
