raise SystemExit(sum(map(int, input().split())))
