var x: UInt64 = 1; while x != 0 { x = x &* 6364136223846793005 | 1 }; print(x)
