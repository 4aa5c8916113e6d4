# stdin: "0123456789"
import os

print(os.lseek(0, 0, os.SEEK_CUR), os.lseek(0, 0, os.SEEK_END), os.lseek(0, 4, os.SEEK_SET))
print(os.read(0, 10), os.pread(0, 3, 0))
