import os

a, b = os.read(0, 100).split()
os.write(1, b"%d\n" % (int(a) + int(b)))
