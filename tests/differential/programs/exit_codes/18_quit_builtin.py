print("a")
quit("stopped by quit")
