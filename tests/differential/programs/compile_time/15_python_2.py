# tag: compile
# A Python 2 print statement.
print "never"
