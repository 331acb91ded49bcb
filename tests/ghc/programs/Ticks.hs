-- Cost centres that take known shares of the time: outer calls inner twice as long as itself.
module Main (main) where

import Control.Exception (evaluate)
import System.Environment (getArgs)

{-# NOINLINE spin #-}
spin :: Int -> Int -> Int
spin n seed = go n seed
  where
    go :: Int -> Int -> Int
    go 0 acc = acc
    go k acc = go (k - 1) ((acc * 1103515245 + 12345) `mod` 2147483648)

{-# NOINLINE inner #-}
inner :: Int -> Int
inner n = {-# SCC "inner" #-} spin (2 * n) 7

{-# NOINLINE outer #-}
outer :: Int -> Int
outer n = {-# SCC "outer" #-} spin n (inner n)

{-# NOINLINE other #-}
other :: Int -> Int
other n = {-# SCC "other" #-} spin n 11 + inner n

main :: IO ()
main = do
  arguments <- getArgs
  let n = case arguments of
        (a : _) -> read a
        [] -> 3000000
  a <- evaluate (outer n)
  b <- evaluate (other n)
  putStrLn ("result " ++ show (a + b))
