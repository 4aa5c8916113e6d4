import pickle


class Point:
    def __init__(self, x):
        self.x = x


print("done" if pickle.loads(pickle.dumps(Point(4))).x == 4 else "lost")
