def half(n):
    if n % 2:
        raise ValueError(n)
    return n // 2
