-- mixed ROUNDS: labelled threads, sparks, waits, marks, cost centres and collections.  Prints what it did.
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad
import Debug.Trace (traceEventIO, traceMarkerIO)
import GHC.Conc (labelThread, numCapabilities, par, pseq)
import System.Environment (getArgs)
import System.Mem (performGC)

{-# NOINLINE work #-}
work :: Int -> Int
work n = {-# SCC "work" #-} go (2000 + n `mod` 50) n
  where
    go :: Int -> Int -> Int
    go 0 acc = acc
    go k acc = go (k - 1) ((acc * 31 + k) `mod` 65537)

{-# NOINLINE table #-}
table :: Int -> [(Int, String)]
table n = {-# SCC "table" #-} [(k, show k) | k <- [1 .. n]]

sumWithSparks :: [Int] -> Int
sumWithSparks xs = {-# SCC "sparks" #-} foldr par () xs `pseq` sum xs

worker :: Int -> MVar Int -> MVar () -> Int -> IO ()
worker rounds total turn number = do
  thread <- myThreadId
  labelThread thread ("worker " ++ show number)
  forM_ [1 .. rounds] $ \k -> do
    n <- evaluate (sumWithSparks (map work [k .. k + 9]))
    m <- evaluate (length (filter (odd . fst) (table 300)))
    withMVar turn (const yield)
    modifyMVar_ total (\t -> return $! (t + n + m))

main :: IO ()
main = do
  arguments <- getArgs
  let rounds = case arguments of
        (n : _) -> read n
        [] -> 100
  total <- newMVar 0
  turn <- newMVar ()
  forM_ [1 .. 3 :: Int] $ \phase -> do
    traceMarkerIO ("phase " ++ show phase)
    ends <- forM [1 .. 4] $ \number -> do
      end <- newEmptyMVar
      _ <- forkFinally (worker rounds total turn number) (const (putMVar end ()))
      return end
    mapM_ takeMVar ends
    traceEventIO ("phase " ++ show phase ++ " is over")
    performGC
  sums <- takeMVar total
  putStrLn ("sum " ++ show sums)
  putStrLn ("sparks " ++ show (3 * 4 * rounds * 10))
  putStrLn "marks 3"
  putStrLn "messages 3"
  putStrLn ("capabilities " ++ show numCapabilities)
