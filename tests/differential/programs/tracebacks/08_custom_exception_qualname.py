class Outer:
    class Inner(Exception):
        pass


raise Outer.Inner("of main")
