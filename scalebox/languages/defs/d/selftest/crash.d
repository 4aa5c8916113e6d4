import std.stdio; void main(string[] args) { writeln(args[9]); }
