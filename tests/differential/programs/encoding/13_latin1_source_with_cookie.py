# -*- coding: latin-1 -*-
# the bytes of this source are not UTF-8
text = "café"
print(len(text), ascii(text))
print(text)
