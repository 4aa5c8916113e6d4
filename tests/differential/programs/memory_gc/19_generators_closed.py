# Abandoned generators and context managers run their finally blocks.
import gc


def numbers():
    try:
        yield 1
        yield 2
    finally:
        print("closed")


for n in numbers():
    print(n)
    break
gc.collect()
held = numbers()
next(held)
print("end")
