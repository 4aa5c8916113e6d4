print(__spec__, __package__)
print(__loader__.__class__.__name__, __loader__.name)
print(__loader__.path == __file__)
