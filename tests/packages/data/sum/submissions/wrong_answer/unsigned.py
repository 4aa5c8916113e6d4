print(sum(abs(int(word)) for word in input().split()))
