class Cls:
    pass


value = "loaded as " + __name__
print(value)
if __name__ == "__main__":
    import main

    print(main.__name__, main.value)
    print(main.Cls is Cls, main.Cls.__module__, Cls.__module__)
