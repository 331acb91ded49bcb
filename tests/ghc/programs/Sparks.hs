-- Sparks of every fate: converted, overflowed, dud, collected, fizzled.  Prints what it did.
module Main (main) where

import Control.Exception (evaluate)
import Control.Monad
import GHC.Conc (numCapabilities, par)
import System.Environment (getArgs)
import System.Mem (performGC)

{-# NOINLINE work #-}
work :: Int -> Int
work n = go (20000 + n `mod` 50) n
  where
    go :: Int -> Int -> Int
    go 0 acc = acc
    go k acc = go (k - 1) ((acc * 31 + k) `mod` 65537)

-- A spark of each, then their sum: those that nobody took by then fizzle.
sumWithSparks :: [Int] -> Int
sumWithSparks xs = foldr par (sum xs) xs

main :: IO ()
main = do
  arguments <- getArgs
  let sparks = case arguments of
        (n : _) -> read n
        [] -> 300
  total <- evaluate (sumWithSparks (map work [1 .. sparks]))
  -- Evaluated before: duds.
  let values = map work [1 .. 10]
  _ <- evaluate (sum values)
  again <- evaluate (sumWithSparks values)
  -- More than the pool holds, if it is small enough (-e): the rest overflows.  Nobody else refers
  -- to them, so those that are left are collected.
  forM_ [1 .. 400] (\i -> let x = work i in evaluate (x `par` ()))
  performGC
  putStrLn ("sum " ++ show (total + again))
  putStrLn ("asked " ++ show (sparks + 10 + 400))
  putStrLn "duds 10"
  putStrLn ("capabilities " ++ show numCapabilities)
