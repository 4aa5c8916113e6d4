print(float("nan"))
