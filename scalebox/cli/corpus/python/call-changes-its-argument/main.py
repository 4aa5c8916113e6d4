def sort_in_place(xs):
    xs.sort()
