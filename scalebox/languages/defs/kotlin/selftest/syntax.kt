fun main() { val x: Int = "five" }
