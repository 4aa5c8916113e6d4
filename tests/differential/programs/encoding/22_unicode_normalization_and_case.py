import unicodedata

s = "ﬁ e\u0301 ß İ"
print(s.casefold(), s.upper(), unicodedata.normalize("NFC", s), len(unicodedata.normalize("NFKD", s)))
