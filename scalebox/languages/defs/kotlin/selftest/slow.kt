fun main() { var x = 1L; while (x != 0L) x = x * 25214903917L or 1L; println(x) }
