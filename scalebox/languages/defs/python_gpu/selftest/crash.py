print([][9])
