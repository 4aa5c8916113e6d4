class Point:
    def __init__(self):
        self.width = 1


Point().widht
