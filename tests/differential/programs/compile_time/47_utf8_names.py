# Identifiers are normalized.
жук = 3
ﬁ = 4
print(жук, fi, "naïve", len("日本語"))
