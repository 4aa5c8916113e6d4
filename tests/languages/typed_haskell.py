"""Haskell."""

from __future__ import annotations

from typing import Final

from languages.typed_rows import MANY, VALUES, Programs, Row

_EVERYTHING: Final = """
module Solution (f) where
import qualified Data.Map as Map
import Data.Int (Int64)
f :: [Int] -> [[Integer]] -> Int64 -> Double -> [String] -> Bool -> Maybe Int -> Map.Map String [Int] -> Map.Map Int String
  -> IO ([Int], [[Integer]], (Int64, [Double], [String]), (Bool, Maybe Int, Map.Map String [Int], Map.Map Int String))
f ints grid big x words truth none named numbered =
  return (reverse ints, grid ++ [[9]], (big, [x, 1e300, 1e-9, 3, 0 / 0, -1 / 0], reverse words), (not truth, none, named, numbered))
"""

_NESTED: Final = [*VALUES[:2], VALUES[2:5], VALUES[5:]]

_FUNCTIONS: Final = [
    Row(
        language="haskell",
        source="twoSum :: [Int] -> Int -> [Int]\ntwoSum nums target = [head nums, target]\n\nmain :: IO ()\nmain = print (twoSum [1] 2)\n",
        function="twoSum",
        args=[[1], 2],
        answer=[1, 2],
    ),
    Row(
        language="haskell",
        source="-- A comment\n{-# LANGUAGE OverloadedStrings, ScopedTypeVariables #-}\n{- module Main where -}\nmodule Main\n  ( main, f\n  , T (..) ) where\n"
        "import Data.Text (Text)\nimport qualified Data.Text as T\nimport Data.IntMap (IntMap)\nimport qualified Data.Sequence as S\nimport Data.Array\ndata T = A\n"
        "f :: Text -> IntMap Text -> S.Seq Char -> Array Int Float -> (Char, Either Int Text, Array Int Float)\n"
        "f a m s r = (S.index s 1, Right (T.append a (head (foldr (:) [] m))), r)\nmain = return ()",
        args=["é", {"3": "x"}, "ab", [1, 0.1]],
        answer=["b", "éx", [1, 0.1]],
    ),
    Row(
        language="haskell",
        source="f :: [Double] -> ([Double], [String])\nf xs = (xs, map (show . (1 /)) xs)",
        args=[[-0.0, 0, -2e-3, {"$float": "-inf"}, 1e22]],
        answer=[[0.0, 0, -0.002, {"$float": "-inf"}, 1e22], ["-Infinity", "Infinity", "-500.0", "-0.0", "1.0e-22"]],
    ),
    Row(
        language="haskell",
        source="import qualified Data.Vector as V\nimport qualified Data.Vector.Unboxed as U\nimport qualified Data.HashMap.Strict as H\n"
        "f :: V.Vector String -> U.Vector Int -> H.HashMap Int Char -> (V.Vector String, U.Vector Int, H.HashMap Int Char)\n"
        "f v u h = (V.reverse v, U.map (+ 1) u, H.insert 5 'z' h)",
        args=[["a", "b"], [1, 2], {"4": "x"}],
        answer=[["b", "a"], [2, 3], {"$dict": [[4, "x"], [5, "z"]]}],
    ),
    Row(language="haskell", source="f :: Integer -> Integer\nf x = x * x", args=[-(2**70)], answer=2**140),
    Row(
        language="haskell",
        source="f :: (Ord a, Num a) => [a] -> (a -> a) -> a\nf xs g = g (maximum xs)\nh xs = f xs (+ 1)",
        function="h",
        args=[[1, 2]],
        answer=3,
    ),
    Row(language="haskell", source="f xs = reverse xs", args=[[1, 2]], answer=[2, 1]),
    Row(
        language="haskell",
        source="import Data.Set (Set)\nf :: Set (Int, Char) -> [[Char]] -> (Set (Int, Char), [[Char]])\nf s g = (s, g)",
        args=[{"$set": [{"$tuple": [1, "a"]}]}, [["a", "b"], "cd"]],
        answer=[{"$set": [{"$tuple": [1, "a"]}]}, ["ab", "cd"]],
    ),
    Row(language="haskell", source="f :: Int\nf = 7", args=[], answer=7),
]

_NAMES: Final = [
    Row(
        language="haskell",
        source="""{-# LANGUAGE OverloadedStrings, OverloadedLists, BangPatterns, LambdaCase, MagicHash, TypeApplications #-}
import Prelude hiding (show, map, (++), (.), Maybe (..), Bool (..), String, length, span, seq, (==))
import qualified Prelude
import qualified Data.Map as ScaleBoxM
data Bool = True | False | Maybe
data Maybe a = Just | Nothing a
data String = String
data Map k v = Map
class Show' a where show :: a -> Int
instance Show' a where show _ = 1
instance Num () where { fromInteger _ = (); _ + _ = (); _ * _ = (); abs = id; signum = id; negate = id }
map, (++), (.), (==), seq :: Int -> Int -> Int
map = const; (++) = const; (.) = const; (==) = const; seq = const
length, span, encode, decode, value :: Int
length = 1; span = 2; encode = 3; decode = 4; value = 5
lookup :: Double -> Prelude.IO (Double, Double)
lookup x = putStr "{\\"$int\\":1}\\n" >> return (x, x / 10)
main :: Prelude.IO ()
main = return ()
""",
        function="lookup",
        args=[2.5],
        answer=[2.5, 0.25],
    ),
    Row(
        language="haskell",
        source="{-# LANGUAGE NoImplicitPrelude, Strict #-}\n{-# OPTIONS_GHC -Wall -Werror #-}\nmodule Main (main) where\nimport GHC.Base\nf :: Int -> Int\nf x = x\nmain = return ()",
        args=[5],
        answer=5,
    ),
]

_FAILURES: Final = [
    Row(
        language="haskell",
        source="import System.Exit\nimport System.IO.Unsafe\nf :: Int -> Int\nf x = unsafePerformIO exitSuccess",
        args=[1],
    ),
    Row(language="haskell", source="import System.Exit\nf :: Int -> IO Int\nf x = exitSuccess", args=[1]),
    Row(language="haskell", source="f :: Int -> [Int]\nf x = [x, undefined]", args=[1]),
    Row(language="haskell", source="f :: Int -> Int\nf x = x", args=[2**63]),
    Row(language="haskell", source="f :: Int -> Int\nf x = x", args=[1.5]),
    Row(language="haskell", source="f :: String -> Int\nf x = 1", args=[1]),
    Row(language="haskell", source="f :: Int -> Int\nf x = 1", args=[None]),
    Row(language="haskell", source="f :: (Int, Int) -> Int\nf x = 1", args=[[1, 2, 3]]),
    Row(language="haskell", source="data T = T deriving Eq\nf :: T -> Int\nf x = 1", args=[[1]]),
    Row(language="haskell", source="f :: Int\nf = 1", args=[1]),
    Row(language="haskell", source="g :: Int -> Int\ng x = x\nmain = return ()", args=[1]),
]

_WRONG: Final = [
    Row(
        language="haskell",
        source='data Same = Same\ninstance Eq Same where _ == _ = True\ninstance Show Same where show _ = "1"\nf :: Int -> String\nf x = show Same',
        args=[1],
        answer=1,
    ),
]

PROGRAMS: Final = Programs(
    everything=Row(language="haskell", source=_EVERYTHING, args=MANY, answer=_NESTED),
    functions=_FUNCTIONS,
    names=_NAMES,
    failures=_FAILURES,
    wrong=_WRONG,
)
