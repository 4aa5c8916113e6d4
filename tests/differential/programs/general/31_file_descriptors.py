# Only the three standard descriptors are open at start, and new ones begin at 3.
import os

print(sorted(int(name) for name in os.listdir("/proc/self/fd"))[:3])
handle = os.open("x", os.O_CREAT | os.O_WRONLY)
print(handle, os.get_inheritable(0), os.get_inheritable(handle), os.dup(handle))
for number in (5, 6, 10, 50, 255):
    try:
        os.fstat(number)
        print(number, "open")
    except OSError as error:
        print(number, error.errno)
