# A syntax error at run time is a run-time error: output before it stays.
print("before")
try:
    exec("if:")
except SyntaxError as error:
    print(error.msg, error.lineno, error.filename)
int("not a number")
