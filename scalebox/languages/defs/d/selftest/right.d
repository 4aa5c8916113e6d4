import std.algorithm, std.array, std.conv, std.stdio, std.string;

void main()
{
    auto numbers = readln().strip.split.map!(to!long).array;
    long[string] seen;
    foreach (number; numbers)
        seen[number.to!string] += number;
    writeln(seen.byValue.sum);
}
