def main : IO Unit := IO.println "6"
