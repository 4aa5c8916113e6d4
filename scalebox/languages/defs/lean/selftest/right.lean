theorem two_and_three : 2 + 3 = 5 := rfl

def main : IO Unit := do
  let line ← (← IO.getStdin).getLine
  let numbers := (line.trim.splitOn " ").map String.toNat!
  IO.println (toString (numbers.foldl (· + ·) 0))
