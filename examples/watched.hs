-- watched.hs -- a program to be watched while it runs: some threads that work, sleep and say what they
-- do.  It ends after so many rounds, or at once with none, and prints a sum that does not depend on who
-- reads its eventlog.
--
--   ghc -threaded -eventlog -no-hs-main watched.hs proflog-main.c -lproflog-ghc
--   PROFLOG_GHC=output=unix-listen:/tmp/watched.sock ./watched 1000
module Main (main) where

import Control.Concurrent
import Control.Monad (foldM, forM, forM_)
import Debug.Trace (traceEventIO, traceMarkerIO)
import GHC.Conc (labelThread, myThreadId)
import System.Environment (getArgs)

worker :: Int -> Int -> MVar Integer -> IO ()
worker rounds n result = do
  me <- myThreadId
  labelThread me ("worker " ++ show n)
  total <- foldM step 0 [1 .. rounds]
  putMVar result total
 where
  step total i = do
    traceEventIO ("worker " ++ show n ++ " round " ++ show i)
    threadDelay 2000
    let s = sum [toInteger (i * k `mod` 7) | k <- [1 .. 2000]]
    s `seq` return (total + s)

main :: IO ()
main = do
  args <- getArgs
  let rounds = case args of
        (n : _) -> read n
        [] -> 500
  traceMarkerIO "begin"
  results <- forM [1 .. 3] $ \n -> do
    result <- newEmptyMVar
    _ <- forkIO (worker rounds n result)
    return result
  totals <- mapM takeMVar results
  forM_ totals print
  traceMarkerIO "end"
