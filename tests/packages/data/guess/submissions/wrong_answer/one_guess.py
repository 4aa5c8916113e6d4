print(1, flush=True)
if input() != "right":
    print("no idea")
