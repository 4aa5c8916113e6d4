# tag: compile
# A missing colon.
print("never")
if True
    print(1)
