class Node:
    def __del__(self):
        print("cycle collected")


x, y = Node(), Node()
x.other, y.other = y, x
del x, y
print("end of main")
