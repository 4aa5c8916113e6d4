print("two")
raise SystemExit(1, 2)
