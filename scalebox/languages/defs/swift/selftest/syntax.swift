let x: Int = "five"
