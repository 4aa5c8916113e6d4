# stdin: "12345678"
import os

print(os.read(0, 3), os.read(0, 100), os.read(0, 1))
