object Crash { def main(args: Array[String]): Unit = println(args(9)) }
