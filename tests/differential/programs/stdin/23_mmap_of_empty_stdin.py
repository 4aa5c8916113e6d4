import mmap

try:
    mmap.mmap(0, 0, access=mmap.ACCESS_READ)
except ValueError as error:
    print(error)
