# tag: compile
# Tabs and spaces mixed.
if True:
        x = 1
	y = 2
