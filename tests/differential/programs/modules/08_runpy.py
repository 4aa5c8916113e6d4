# runpy runs files and modules with the name asked for.
import runpy

with open("script.py", "w") as source:
    source.write("NAME = __name__\nFILE = __file__\n")
print(runpy.run_path("script.py")["NAME"], runpy.run_path("script.py", run_name="__main__")["FILE"])
print(runpy.run_module("script", run_name="other")["NAME"], __name__)
