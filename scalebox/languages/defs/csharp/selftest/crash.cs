class Crash { static void Main(string[] args) { System.Console.WriteLine(args[9]); } }
