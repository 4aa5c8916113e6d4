print max(map(int, raw_input().split()))
