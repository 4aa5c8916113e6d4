print(1.4152)
