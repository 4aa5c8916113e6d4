# Names gathered through sets, as scripts do.
import string

first = set(dir(string)) - {name for name in dir(string) if name.startswith("_")}
print(list(first))
print(list({name for name in vars() if not name.startswith("__")}))
