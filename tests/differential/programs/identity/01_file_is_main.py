import os

print(os.path.basename(__file__), os.path.isabs(__file__))
print(os.path.dirname(__file__) == os.getcwd())
