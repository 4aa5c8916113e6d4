import os

print(os.getcwd() == os.environ["HOME"], os.path.samefile(".", os.getcwd()))
print("main.py" in os.listdir("."), os.path.isfile("main.py"))
