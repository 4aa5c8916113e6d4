# Hooks at start: display hook, breakpoint hook, thread and unraisable hooks are the originals.
import sys
import threading

print(sys.displayhook is sys.__displayhook__, sys.breakpointhook is sys.__breakpointhook__)
print(sys.unraisablehook is sys.__unraisablehook__, threading.excepthook is threading.__excepthook__)
print(sys.getswitchinterval(), hasattr(sys, "ps1"), hasattr(sys, "last_type"), sys.get_coroutine_origin_tracking_depth())
print(sys.get_asyncgen_hooks())
