ﬁx = 1
print(fix, "fix" in globals())
