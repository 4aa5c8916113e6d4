def power(n):
    return 3**n
