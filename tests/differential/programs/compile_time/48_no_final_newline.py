# No newline at the end of the file.
if True:
    print("last")