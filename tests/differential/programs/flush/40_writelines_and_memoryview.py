import sys

sys.stdout.writelines(f"{n}\n" for n in range(3))
sys.stdout.flush()
print(sys.stdout.buffer.write(memoryview(b"view\n")))
