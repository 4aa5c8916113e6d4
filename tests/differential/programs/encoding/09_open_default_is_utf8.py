with open("f.txt", "w") as file:
    file.write("é\n")
    print(file.encoding, file.errors)
print(open("f.txt", "rb").read())
