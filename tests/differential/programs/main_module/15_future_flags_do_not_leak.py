import __future__

code = compile("def f(x: undefined_name): pass", "s", "exec", dont_inherit=True)
inherited = compile("1", "s", "eval")
print(bool(inherited.co_flags & __future__.annotations.compiler_flag))
try:
    exec(code)
    print("f" in globals())
except NameError as error:
    print(error)
