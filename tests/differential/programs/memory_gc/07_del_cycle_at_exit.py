# A cycle that is still alive at exit is finalized.
class Loud:
    def __del__(self):
        print("del at exit")


loud = Loud()
loud.me = loud
print("end")
