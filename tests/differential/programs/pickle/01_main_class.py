# A class of __main__ is pickled by name and found again.
import pickle


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y


data = pickle.dumps(Point(1, 2))
print(b"__main__" in data, b"Point" in data)
back = pickle.loads(data)
print(type(back) is Point, back.x, back.y, Point.__module__, Point.__qualname__)
