class Syntax { static void Main() { int x = "five"; } }
