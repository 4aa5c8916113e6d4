# A database in memory and one in a file.
import sqlite3

for place in (":memory:", "rows.db"):
    with sqlite3.connect(place) as base:
        base.execute("create table rows (name text, n integer)")
        base.executemany("insert into rows values (?, ?)", [("a", 1), ("b", 2), ("c", 3)])
        print(base.execute("select sum(n), group_concat(name) from rows").fetchall())
    base.close()
