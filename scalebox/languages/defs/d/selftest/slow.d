import std.stdio; void main() { ulong x = 1; while (x != 0) x = x * 6364136223846793005UL | 1; writeln(x); }
