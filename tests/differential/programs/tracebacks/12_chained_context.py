try:
    {}["k"]
except KeyError:
    undefined_function()
