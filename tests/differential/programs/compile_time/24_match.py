# tag: compile
# A match case that makes the rest unreachable.
match 1:
    case x:
        pass
    case 2:
        pass
