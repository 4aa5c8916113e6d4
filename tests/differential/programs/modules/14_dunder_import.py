# __import__ and its result for dotted names; ModuleNotFoundError names the module.
print(__import__("os.path").__name__, __import__("os.path", fromlist=["join"]).join("a", "b"))
try:
    import no_such_module_at_all.part
except ModuleNotFoundError as error:
    print(error, error.name)
try:
    from json import no_such_name
except ImportError as error:
    print(type(error).__name__, error.name)
