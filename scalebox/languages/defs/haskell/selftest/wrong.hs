main = print 6
