# Enum members come back as the same objects.
import enum
import pickle


class Colour(enum.Enum):
    RED = 1
    BLUE = "b"


class Mode(enum.Flag):
    READ = enum.auto()
    WRITE = enum.auto()


for member in (*Colour, Mode.READ, Mode.READ | Mode.WRITE):
    print(member, pickle.loads(pickle.dumps(member)) is member)
