# os.abort raises SIGABRT; nothing is flushed.
import os

print("lost")
os.abort()
