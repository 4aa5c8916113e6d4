# shelve in the working folder, and marshal of a code object.
import marshal
import shelve


class Row:
    def __init__(self, n):
        self.n = n


with shelve.open("rows") as rows:
    rows["one"] = Row(1)
with shelve.open("rows") as rows:
    print(rows["one"].n, list(rows))
code = marshal.loads(marshal.dumps(compile("x = 6 * 7", "made.py", "exec")))
names = {}
exec(code, names)
print(names["x"], code.co_filename)
