# compile() in the program: modes, flags, errors with the right attributes.
import ast

for source, mode in (("1 +", "eval"), ("x = 1", "eval"), ("def f(:", "exec"), ("  x", "exec"), ("a\0b", "exec")):
    try:
        compile(source, "given.py", mode)
    except (SyntaxError, ValueError) as error:
        print(type(error).__name__, getattr(error, "filename", None), getattr(error, "lineno", None))
print(ast.dump(compile("x + 1", "given.py", "eval", ast.PyCF_ONLY_AST)))
