try:
    {}["k"]
except KeyError:
    raise LookupError("only this") from None
