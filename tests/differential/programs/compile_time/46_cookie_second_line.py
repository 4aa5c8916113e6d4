#!/usr/bin/env python3
# vim: set fileencoding=cp1252 :
# A cookie on the second line.
print(ascii("€™"))
