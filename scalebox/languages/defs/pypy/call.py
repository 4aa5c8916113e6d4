@program@


def _scalebox_call(found, owner, made, name):
    import base64
    import inspect
    import json
    import math
    import os
    import sys

    def decode(tree):
        if isinstance(tree, list):
            return [decode(item) for item in tree]
        if not isinstance(tree, dict):
            return tree
        if len(tree) == 1:
            [(tag, inner)] = tree.items()
            if tag.startswith("$"):
                return tagged(tag, inner)
        return {key: decode(item) for key, item in tree.items()}

    def tagged(tag, inner):
        if tag == "$float":
            return float(inner)
        if tag == "$int":
            return int(inner, 16)
        if tag == "$bytes":
            return base64.b64decode(inner)
        if tag == "$complex":
            return complex(*decode(inner))
        if tag == "$dict":
            return {decode(key): decode(item) for key, item in inner}
        return {"$tuple": tuple, "$set": set, "$frozenset": frozenset}[tag](decode(inner))

    def encode(value, depth):
        if depth == 0:
            raise RecursionError("the value is nested too deeply")
        if value is None or isinstance(value, (bool, str)):
            return value
        if isinstance(value, int):
            return {"$int": hex(value)} if value.bit_length() > 2048 else int(value)
        if isinstance(value, float):
            if math.isfinite(value):
                return float(value)
            return {"$float": "nan" if value != value else "inf" if value > 0 else "-inf"}
        if isinstance(value, complex):
            return {"$complex": [encode(value.real, depth), encode(value.imag, depth)]}
        if isinstance(value, (bytes, bytearray)):
            return {"$bytes": base64.b64encode(bytes(value)).decode()}
        if isinstance(value, dict):
            if all(isinstance(key, str) for key in value) and not (len(value) == 1 and next(iter(value)).startswith("$")):
                return {key: encode(item, depth - 1) for key, item in value.items()}
            return {"$dict": [[encode(key, depth - 1), encode(item, depth - 1)] for key, item in value.items()]}
        for kind, tag in ((list, None), (tuple, "$tuple"), (set, "$set"), (frozenset, "$frozenset")):
            if isinstance(value, kind):
                items = [encode(item, depth - 1) for item in value]
                return {tag: items} if tag else items
        return {"$opaque": type(value).__name__}

    with os.fdopen(3, "rb") as stream:
        request = json.loads(stream.read())
    args = [decode(item) for item in request["args"]]
    kwargs = {key: decode(item) for key, item in request["kwargs"].items()}
    scope = sys.modules["__main__"].__dict__
    if owner:
        whole = scope[owner.split(".")[0]]
        for part in owner.split(".")[1:]:
            whole = getattr(whole, part)
        called = getattr(whole() if made else whole, name)
    else:
        called = scope[name] if name in scope else getattr(scope["Solution"](), name)
    value = called(*args, **kwargs)
    if inspect.iscoroutine(value):
        import asyncio

        value = asyncio.run(value)
    if request["mutated"] is not None:
        value = args[request["mutated"]]
    text = json.dumps(encode(value, 200), ensure_ascii=False, separators=(",", ":"))
    with os.fdopen(4, "wb") as stream:
        stream.write(text.encode("utf-8", "surrogatepass") + b"\n")


_scalebox_call(globals(), "@owner@", "@made@" == "true", "@name@")
