# The kernel's view: nothing blocked, and only what Python ignores or catches itself.
with open("/proc/self/status") as status:
    fields = dict(line.split(":", 1) for line in status)
for name in ("SigBlk", "SigIgn", "SigCgt"):
    print(name, fields[name].strip())
