import Data.Word

loop :: Word64 -> Word64
loop x = if x == 0 then x else loop (x * 6364136223846793005 + 2 * (x `mod` 2))

main :: IO ()
main = print (loop 1)
