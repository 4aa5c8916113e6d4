# Files in the working folder: text, bytes, append, rename, remove, listing.
import os
import pathlib

pathlib.Path("a.txt").write_text("línea\n")
with open("a.txt", "a") as text:
    print("more", file=text)
print(open("a.txt").read().splitlines(), os.path.getsize("a.txt"))
os.rename("a.txt", "b.txt")
os.mkdir("folder")
print(sorted(set(os.listdir()) - {"main.py"}), os.path.exists("a.txt"), pathlib.Path("b.txt").resolve().parent == pathlib.Path.cwd())
os.remove("b.txt")
os.rmdir("folder")
print(sorted(set(os.listdir()) - {"main.py"}), os.access(".", os.W_OK))
