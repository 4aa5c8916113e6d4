# exec and eval share the module's names.
x = 3
print(eval("x * 2"), exec("y = x + 1"), y)
exec("def f(n):\n    return n + x")
print(f(4), eval(compile("[f(n) for n in range(3)]", "given", "eval")))
