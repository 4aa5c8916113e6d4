# site facts: user site, prefixes and path hooks.
import site
import sys

print(site.ENABLE_USER_SITE, sys.prefix == sys.base_prefix, sys.exec_prefix == sys.prefix)
print([type(hook).__name__ for hook in sys.path_hooks], [getattr(finder, "__name__", type(finder).__name__) for finder in sys.meta_path])
print("usercustomize" in sys.modules, "" in sys.path, "." in sys.path)
