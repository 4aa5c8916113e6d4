import mmap

area = mmap.mmap(-1, 4 << 30)
area[0] = 1
print("done")
