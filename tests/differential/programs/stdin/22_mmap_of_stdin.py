# stdin: "10 20\n30\n"
import mmap

with mmap.mmap(0, 0, access=mmap.ACCESS_READ) as view:
    print(len(view), view[:5], view.find(b"30"))
    print(view.readline())
