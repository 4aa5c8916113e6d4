print("before")
exec("x = = 1")
