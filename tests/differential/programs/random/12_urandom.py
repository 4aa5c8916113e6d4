# The operating system's random bytes.
import os

print(len(os.urandom(32)), os.urandom(0), os.urandom(32) != os.urandom(32), len(os.getrandom(8)))
with open("/dev/urandom", "rb") as device:
    print(len(device.read(16)))
