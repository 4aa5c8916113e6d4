class Broken:
    print("in class")
    x = {}["missing"]
