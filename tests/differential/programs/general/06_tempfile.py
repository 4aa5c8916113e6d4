# Temporary files and folders come and go.
import os
import tempfile

with tempfile.TemporaryFile("w+") as text:
    text.write("hello")
    text.seek(0)
    print(text.read())
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "x")
    open(path, "w").close()
    print(os.listdir(folder))
print(os.path.exists(folder))
with tempfile.NamedTemporaryFile() as named:
    print(os.path.exists(named.name))
print(os.path.exists(named.name))
