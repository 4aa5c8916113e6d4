import __main__

value = 41
__main__.value += 1
print(value, __main__.__name__)
print(__main__.__dict__ is globals())
