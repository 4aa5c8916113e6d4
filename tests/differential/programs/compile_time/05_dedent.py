# tag: compile
# A dedent that matches no level.
if True:
        x = 1
    y = 2
