import builtins
import os

runs = getattr(builtins, "runs", 0) + os.path.exists("ran")
builtins.runs = runs + 1
open("ran", "w").close()
print(runs)
