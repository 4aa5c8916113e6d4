# linecache reads this file's lines through the code's own file name.
import linecache

name = (lambda: 0).__code__.co_filename
print(linecache.getline(name, 1), linecache.getline(name, 999) == "", len(linecache.getlines(name)))
