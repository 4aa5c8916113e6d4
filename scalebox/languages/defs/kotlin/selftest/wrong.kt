fun main() { println(6) }
