println(6)
