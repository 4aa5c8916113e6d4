object Syntax { val x: Int = "five" }
