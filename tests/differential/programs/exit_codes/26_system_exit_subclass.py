class Done(SystemExit):
    pass


print("leaving")
raise Done(12)
