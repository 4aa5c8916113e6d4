def pair(a):
    return (a, [a, (a,)])
