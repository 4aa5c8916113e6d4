main = print (head (drop 9 [1, 2, 3 :: Int]))
