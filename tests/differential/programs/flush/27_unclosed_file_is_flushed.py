import os

file = open("out.txt", "w")
file.write("pending\n")
print(os.path.getsize("out.txt"))
del file
print(os.path.getsize("out.txt"))
