object Slow { def main(args: Array[String]): Unit = { var x = 1L; while (x != 0) x = x * 25214903917L | 1; println(x) } }
