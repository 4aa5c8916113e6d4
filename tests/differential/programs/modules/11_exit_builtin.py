# exit() raises SystemExit with the code given.
try:
    quit(2)
except SystemExit as error:
    print(error.code)
print("leaving")
exit(9)
