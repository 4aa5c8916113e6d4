quit(status = 7)
