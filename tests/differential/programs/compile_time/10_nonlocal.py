# tag: compile
# nonlocal at module level.
nonlocal x
