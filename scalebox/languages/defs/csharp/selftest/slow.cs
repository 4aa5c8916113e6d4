class Slow { static void Main() { ulong x = 1; while (x != 0) x = unchecked(x * 6364136223846793005UL) | 1; System.Console.WriteLine(x); } }
