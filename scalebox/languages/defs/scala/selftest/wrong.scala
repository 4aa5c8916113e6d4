object Wrong extends App { println(6) }
