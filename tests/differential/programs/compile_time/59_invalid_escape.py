# An escape that means nothing is kept; newer versions warn on stderr.
print(len("\d\."), "\q")
