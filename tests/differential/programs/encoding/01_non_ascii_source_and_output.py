print("naïve façade — 日本語 🎈")
größe = 3
print(größe)
