# Old Macintosh line ends after this line.
print(1)print(2)if True:    print(3)