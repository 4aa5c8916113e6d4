# An uncaught ModuleNotFoundError.
print("before")
import a_module_nobody_has
