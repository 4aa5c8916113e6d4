with open("notes.txt", "w") as notes:
    notes.write("done")
with open("notes.txt") as notes:
    print(notes.read())
