partial def spin (x : UInt64) : UInt64 := if x == 0 then x else spin (x * 3 ||| 1)

def main : IO Unit := IO.println (toString (spin 1))
