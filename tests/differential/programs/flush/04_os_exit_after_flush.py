import os

print("kept", flush=True)
print("lost")
os._exit(0)
