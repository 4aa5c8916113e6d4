def deep(n):
    if n == 0:
        raise SystemExit(6)
    try:
        deep(n - 1)
    finally:
        print("leave", n)


deep(3)
