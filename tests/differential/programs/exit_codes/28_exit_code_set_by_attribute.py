error = SystemExit(1)
error.code = 21
raise error
