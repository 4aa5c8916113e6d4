# A forked child has the same seed.
import os

reader, writer = os.pipe()
if os.fork() == 0:
    os.write(writer, repr((hash("child"), list({"p", "q", "r", "s"}))).encode())
    os._exit(0)
os.wait()
print(os.read(reader, 200).decode() == repr((hash("child"), list({"p", "q", "r", "s"}))), hash("child"))
