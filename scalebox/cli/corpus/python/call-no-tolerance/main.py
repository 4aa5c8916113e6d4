def third():
    return 0.333333
