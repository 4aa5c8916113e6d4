print("a  b")
