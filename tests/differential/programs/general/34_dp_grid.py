# stdin: "3 4\n1 2 3 4\n5 6 7 8\n9 1 2 3\n"
# A grid problem with input() and a list of lists.
rows, columns = map(int, input().split())
grid = [list(map(int, input().split())) for _ in range(rows)]
best = [[0] * columns for _ in range(rows)]
for i in range(rows):
    for j in range(columns):
        before = [best[i - 1][j]] * (i > 0) + [best[i][j - 1]] * (j > 0)
        best[i][j] = grid[i][j] + (min(before) if before else 0)
print(best[-1][-1])
try:
    input()
except EOFError as error:
    print("EOFError:", error)
