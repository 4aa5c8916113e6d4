class Wrong { static void Main() { System.Console.WriteLine(6); } }
