fun main(args: Array<String>) { println(args[9]) }
