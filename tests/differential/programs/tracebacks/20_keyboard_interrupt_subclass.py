class Stop(KeyboardInterrupt):
    pass


print("x")
raise Stop("sub")
