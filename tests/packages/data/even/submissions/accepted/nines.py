print(10 ** int(input()) - 2)
