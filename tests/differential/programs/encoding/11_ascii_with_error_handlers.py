import sys

for errors in ("replace", "ignore", "xmlcharrefreplace", "backslashreplace", "namereplace"):
    sys.stdout.reconfigure(encoding="ascii", errors=errors)
    print("é→")
