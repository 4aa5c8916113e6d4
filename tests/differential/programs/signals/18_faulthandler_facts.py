# faulthandler is off at start; dump_traceback names this file and function.
import faulthandler

print("enabled at start", faulthandler.is_enabled())


def here():
    with open("dump.txt", "w+") as dump:
        faulthandler.dump_traceback(file=dump, all_threads=False)
        dump.seek(0)
        return dump.read().splitlines()


frames = here()
print(frames[0])
print("main.py" in frames[1], frames[1].endswith("in here"))
print("main.py" in frames[2], frames[2].endswith("in <module>"))
faulthandler.enable()
print("enabled now", faulthandler.is_enabled())
faulthandler.disable()
