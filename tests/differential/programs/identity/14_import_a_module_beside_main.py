import os
import sys

with open("helper_module.py", "w") as file:
    file.write("import __main__\nvalue = 7\nwho = __name__\nparent = __main__.mine\n")
mine = "set in main"
import helper_module

print(helper_module.value, helper_module.who, helper_module.parent)
print(os.path.dirname(helper_module.__file__) == os.getcwd())
print("helper_module" in sys.modules)
