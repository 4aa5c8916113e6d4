# Loaded is what a fresh interpreter has loaded, and no more.
import sys

print(*sorted(sys.modules))
