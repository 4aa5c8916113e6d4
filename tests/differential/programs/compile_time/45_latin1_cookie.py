# -*- coding: latin-1 -*-
# The cookie decides how bytes become characters.
print(ascii("café £"), len("é"))
