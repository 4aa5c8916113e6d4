import atexit


@atexit.register
def report():
    print("report", total)


atexit.register(print, "a", "b", sep="-", end="!\n")
total = 1
total += 41
