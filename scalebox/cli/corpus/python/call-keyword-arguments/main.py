def cut(text, *, stop):
    return text[:stop]
