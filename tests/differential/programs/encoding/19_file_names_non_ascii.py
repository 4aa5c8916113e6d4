import os

open("файл.txt", "w").close()
print([name for name in os.listdir(".") if name.endswith(".txt")])
print(os.fsencode("é\udcff"), os.fsdecode(b"\xff") == "\udcff")
