class Base(BaseException):
    pass


print("x")
raise Base("not an Exception")
