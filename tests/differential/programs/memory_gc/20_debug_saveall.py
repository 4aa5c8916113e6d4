# DEBUG_SAVEALL keeps the program's unreachable objects, and nothing of anyone else's.
import gc


class Mine:
    pass


gc.collect()
gc.set_debug(gc.DEBUG_SAVEALL)
mine = Mine()
mine.me = mine
del mine
gc.collect()
gc.set_debug(0)
print([type(item).__name__ for item in gc.garbage if isinstance(item, Mine)])
gc.garbage.clear()
