class Noisy:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("del", self.name)


a = Noisy("a")
b = Noisy("b")
print("end of main")
