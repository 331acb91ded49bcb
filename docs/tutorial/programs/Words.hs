-- Counts words of each length.  Its collections take long: see haskell.md.
module Main (main) where

import Data.List (foldl')
import qualified Data.Map as Lazy
import qualified Data.Map.Strict as Strict
import System.Environment (getArgs)

-- Lengths of words, as a text might have them.
lengths :: Int -> [Int]
lengths n = take n (iterate (\x -> (x * 1103515245 + 12345) `mod` 2147483648) 42)

-- Sums that nobody needs yet: each is a chain of additions until the end.
lazily :: [Int] -> Lazy.Map Int Int
lazily = foldl' (\m x -> Lazy.insertWith (+) (x `mod` 1000) 1 m) Lazy.empty

strictly :: [Int] -> Strict.Map Int Int
strictly = foldl' (\m x -> Strict.insertWith (+) (x `mod` 1000) 1 m) Strict.empty

main :: IO ()
main = do
  args <- getArgs
  let count = if args == ["strict"] then strictly else lazily
  print (Strict.foldl' max 0 (count (lengths 3000000)))
