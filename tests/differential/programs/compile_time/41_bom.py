# A byte order mark before the first line.
print("bom", "é", __doc__)
