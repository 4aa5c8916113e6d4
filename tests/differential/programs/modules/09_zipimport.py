# Modules are importable from a zip file.
import sys
import zipfile

with zipfile.ZipFile("bundle.zip", "w") as bundle:
    bundle.writestr("zipped.py", "VALUE = 'from zip'\n")
sys.path.insert(0, "bundle.zip")
import zipped

print(zipped.VALUE, type(zipped.__loader__).__name__)
