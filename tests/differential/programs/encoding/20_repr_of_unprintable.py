print(repr("\x00\x7f\x85\u200b\u2028\U000e0001é\udc80".replace("\udc80", "")))
print(ascii("é🎈"), "\N{GREEK SMALL LETTER ALPHA}")
