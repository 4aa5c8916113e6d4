import sys

print(hasattr(sys, "ps1"), hasattr(sys, "last_value"), hasattr(sys, "last_traceback"))
print(sys.gettrace(), sys.getprofile(), sys.is_finalizing())
print(sys.getrecursionlimit(), sys.getswitchinterval())
for hook in ("excepthook", "displayhook", "unraisablehook"):
    print(hook, getattr(sys, hook) is getattr(sys, f"__{hook}__"))
