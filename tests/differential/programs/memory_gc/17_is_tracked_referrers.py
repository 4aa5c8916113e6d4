# What is tracked, and who refers to an object.
import gc

target = ["target"]
holder = {"key": target}
print(gc.is_tracked(target), gc.is_tracked("text"), gc.is_tracked(1), gc.is_tracked(holder))
print(any(item is holder for item in gc.get_referrers(target)), target in gc.get_referents(holder))
print(gc.is_finalized(target))
