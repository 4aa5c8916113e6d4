"""C."""

from __future__ import annotations

from typing import Final

from languages.typed_rows import TEXT, Programs, Row

_EVERYTHING: Final = """
char** f(int* ints, int intsSize, int** grid, int gridSize, int* gridColSize, long long big, double x, char** words, int wordsSize, bool truth,
         unsigned char* bytes, int bytesSize, float* reals, int realsSize, char letter, const char *const text, int* returnSize) {
    char** told = malloc(10 * sizeof(char*));
    for (int i = 0; i < 8; i++) told[i] = malloc(200);
    sprintf(told[0], "%d %d %d", intsSize, ints[0], ints[2]);
    sprintf(told[1], "%d %d %d %d", gridSize, gridColSize[0], gridColSize[1], grid[0][1]);
    sprintf(told[2], "%lld %g", big, x);
    strcpy(told[3], words[wordsSize - 1]);
    strcpy(told[4], words[0]);
    sprintf(told[5], "%d %d", truth, bytes[bytesSize - 1]);
    sprintf(told[6], "%g %g %g", reals[0], reals[1], reals[realsSize - 1]);
    sprintf(told[7], "%c%s", letter, text);
    *returnSize = 8;
    return told;
}
"""
_ARGS: Final[list[object]] = [
    [1, -2, 3],
    [[1, 2], []],
    -(2**63),
    0.1,
    [TEXT, ""],
    True,
    [0, 255],
    [0.5, {"$float": "-inf"}, 3],
    "x",
    "é😀",
]
_TOLD: Final = ["3 1 3", "2 2 0 2", f"{-(2**63)} 0.1", "", TEXT, "1 255", "0.5 -inf 3", "xé😀"]

_FUNCTIONS: Final = [
    Row(
        language="c",
        source="/**\n * Note: The returned array must be malloced, assume caller calls free().\n */\n"
        "int* twoSum(int* nums, int numsSize, int target, int* returnSize) {\n    int* pair = malloc(2 * sizeof(int));\n    *returnSize = 2;\n"
        "    pair[0] = nums[numsSize - 1];\n    pair[1] = target;\n    return pair;\n}\nint main() { return 3; }",
        function="twoSum",
        args=[[7, 1], 2],
        answer=[1, 2],
    ),
    Row(
        language="c",
        source="#include <string.h>\ntypedef long long ll; typedef const char *string;\n\ntypedef ll\n  *numbers;\n"
        "typedef struct { int a; } pair;\nint g(void) { typedef int own; own x = 1; return x; }\n"
        "numbers f(numbers all, ll n, string text, int *returnSize) { all[0] += strlen(text) + g(); *returnSize = n; return all; }",
        args=[[7, 1], "abc"],
        answer=[11, 1],
    ),
    Row(language="c", source="int f(int yes, int no) { return yes && !no; }", args=[True, False], answer=True),
    Row(
        language="c",
        source="int** f(int** grid, int gridSize, int* gridColSize, int* returnSize, int** returnColumnSizes) "
        "{ *returnSize = gridSize; *returnColumnSizes = gridColSize; grid[0][0]++; return grid; }",
        args=[[[1, 2], [], [3]]],
        answer=[[2, 2], [], [3]],
    ),
    Row(
        language="c",
        source="#include <stdlib.h>\nchar*** f(char** s, int sSize, int* returnSize, int** returnColumnSizes) {\n"
        "    char*** all = malloc(sizeof(char**));\n    all[0] = s;\n    *returnColumnSizes = malloc(sizeof(int));\n    **returnColumnSizes = sSize;\n"
        "    *returnSize = 1;\n    return all;\n}",
        args=[["a", "é"]],
        answer=[["a", "é"]],
    ),
    Row(language="c", source="int* f(int n, int* returnSize) { *returnSize = 0; return NULL; }", args=[1], answer=[]),
    Row(language="c", source="char* f(char* s) { return *s ? s + 1 : NULL; }", args=["ab"], answer="b"),
    Row(language="c", source="char* f(char* s) { return *s ? s + 1 : NULL; }", args=[""], answer=None),
    Row(language="c", source='char* f() { return "\\xff" "a"; }', args=[], answer={"$bytes": "/2E="}),
    Row(language="c", source="int f(void) { return -7; }", args=[], answer=-7),
    Row(language="c", source="char f(char c) { return c - 32; }", args=["a"], answer="A"),
    Row(language="c", source="bool f(bool a) { return !a; }", args=[True], answer=False),
    Row(
        language="c",
        source="unsigned long long f(int64_t x) { return x == INT64_MIN ? -1ull : 0; }",
        args=[-(2**63)],
        answer=2**64 - 1,
    ),
    Row(
        language="c",
        source="signed char f(unsigned short x, short y) { return y - x; }",
        args=[2**16 - 1, 2**15 - 1],
        answer=0,
    ),
    Row(language="c", source="float f(float x) { return x; }", args=[0.1], answer=0.1),
    Row(language="c", source="double f(double x) { return 1 / x; }", args=[-0.0], answer={"$float": "-inf"}),
    Row(language="c", source="double f(double x) { return 0 / x; }", args=[0], answer={"$float": "nan"}),
    Row(
        language="c",
        source="typedef long long ll;\nenum T { A, B };\nstatic inline ll f(const ll a[], size_t n, enum T t) { return a[n - 1] + t; }",
        args=[[1, 2**40], 1],
        answer=2**40 + 1,
    ),
    Row(language="c", source="int f(int* a, int n) { return a[0] + n; }", args=[[1, 2]], answer=3),
    Row(language="c", source="int f(int* a, int n) { return a[0] + n; }", args=[[1, 2], 9], answer=10),
    Row(
        language="c",
        source="int f(int a[], int aSize, int n, int b_len, int *b) { return a[aSize - 1] * 100 + n * 10 + b[b_len - 1]; }",
        args=[[4, 1], 2, [5, 3]],
        answer=123,
    ),
    Row(
        language="c",
        source="int f(int** grid, int rows, int cols) { return grid[rows - 1][cols - 1]; }",
        args=[[[1, 2], [3, 4]]],
        answer=4,
    ),
    Row(
        language="c",
        source="bool f(char** board, int boardSize, int* boardColSize) { return board[1][boardColSize[1] - 1] == 'c'; }",
        args=[[["a"], ["b", "c"]]],
        answer=True,
    ),
    Row(language="c", source="int f(x, s) int x; char* s; { return x + s[0]; }", args=[1, "a"], answer=98),
    Row(language="c", source="void f(int* v, int vSize) { v[0] = vSize; }", args=[[1, 5]], answer=[2, 5], mutated=0),
    Row(
        language="c",
        source="void f(char* s, int sSize) { s[0] = 'z'; }",
        args=[["a", "b"]],
        answer=["z", "b"],
        mutated=0,
    ),
    Row(language="c", source="void f(char* s) { s[0] = 'z'; }", args=["ab"], answer="zb", mutated=0),
    Row(
        language="c",
        source="int f(int k, int** g, int gSize, int* gColSize) { g[1][0] = k; return 1; }",
        args=[4, [[1], [2]]],
        answer=[[1], [4]],
        mutated=1,
    ),
    Row(language="c", source="void f(int* v, int vSize) { v[0] = 4; }", args=[[1]], answer=None),
]

_NAMES: Final = [
    Row(
        language="c",
        source="""#include <stddef.h>
#define int long long
#define return return
#define char @
#define sizeof 1 +
#define static @
#define scalebox_1 @
#define void @
int read(int x) { return x; } int write(int x) { return 1; } int exit_(int x) { return x; } int args, mutated, tree, getline, index;
int lookup(int x) { return read(x) * 3000000000; }
signed main() { lookup(1); }
#define main other
#define _Generic @
""",
        function="lookup",
        args=[2],
        answer=6000000000,
    ),
    Row(
        language="c",
        source='#include <stdio.h>\n#include <unistd.h>\nint value(int x);\nint value(int x) { printf("{\\"$int\\":1}\\n"); fflush(stdout); write(1, "1\\n", 2); return x; }\nint main(int n, char** words) { return value(n); }',
        function="value",
        args=[5],
        answer=5,
    ),
]

_FAILURES: Final = [
    Row(language="c", source="#include <stdlib.h>\nint f(int x) { exit(0); }", args=[1]),
    Row(language="c", source="#include <unistd.h>\nint f(int x) { _exit(0); }", args=[1]),
    Row(language="c", source="#include <stdlib.h>\nint f(int x) { abort(); }", args=[1]),
    Row(language="c", source="int f(int x) { return *(volatile int*)0; }", args=[1]),
    Row(
        language="c",
        source="#include <stdlib.h>\n__attribute__((constructor)) void g() { exit(0); }\nint f(int x) { return x; }",
        args=[1],
    ),
    Row(language="c", source="int* f(int x, int* returnSize) { return &x; }", args=[1]),
    Row(language="c", source="int* f(int x, int* returnSize) { *returnSize = 2; return 0; }", args=[1]),
    Row(language="c", source="int f(int x) { return x; }", args=[3000000000]),
    Row(language="c", source="int f(unsigned char x) { return x; }", args=[-1]),
    Row(language="c", source="unsigned long f(unsigned long x) { return x; }", args=[2**64]),
    Row(language="c", source="int f(int x) { return x; }", args=[1.5]),
    Row(language="c", source="int f(int x) { return x; }", args=["1"]),
    Row(language="c", source="int f(int x) { return 1; }", args=[None]),
    Row(language="c", source="int f(char* x) { return 1; }", args=[1]),
    Row(language="c", source="int f(char* x) { return 1; }", args=["a\0b"]),
    Row(language="c", source="int f(char x) { return 1; }", args=["ab"]),
    Row(language="c", source="int f(int* x, int xSize) { return 1; }", args=[{"a": 1}]),
    Row(language="c", source="int f(int** x, int rows, int cols) { return 1; }", args=[[[1], [1, 2]]]),
    Row(language="c", source="int f() { return 1; }", args=[1]),
    Row(language="c", source="int g(int x) { return 1; }\nint main() { return 0; }", args=[1]),
]

_WRONG: Final = [
    Row(language="c", source='char* f(int x) { return "1"; }', args=[1], answer=1),
    Row(
        language="c",
        source="int* f(int* v, int n, int* returnSize) { *returnSize = n - 1; return v; }",
        args=[[1, 2]],
        answer=[1, 2],
    ),
]

PROGRAMS: Final = Programs(
    everything=Row(language="c", source=_EVERYTHING, args=_ARGS, answer=_TOLD),
    functions=_FUNCTIONS,
    names=_NAMES,
    failures=_FAILURES,
    wrong=_WRONG,
)
