-- Garbage for collections of every generation, on several capabilities, which come and go.
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad
import qualified Data.Map.Strict as Map
import Debug.Trace (traceEventIO, traceMarkerIO)
import System.Environment (getArgs)
import System.Mem (performMajorGC, performMinorGC)

{-# NOINLINE build #-}
build :: Int -> Int -> Int
build worker n = Map.size (foldr insert Map.empty [1 .. n])
  where
    insert i m
      | i `mod` 8 == 0 = Map.delete (i `div` 2) m
      | otherwise = Map.insertWith (++) (i * worker `mod` 997) [i] m

main :: IO ()
main = do
  arguments <- getArgs
  let (workers, n) = case map read arguments of
        (w : k : _) -> (w, k)
        _ -> (2, 4000)
  boxes <- forM [1 .. workers] $ \w -> do
    box <- newEmptyMVar
    _ <- forkIO $ do
      size <- evaluate (build w n)
      traceEventIO ("worker " ++ show w ++ " has " ++ show size)
      putMVar box size
    return box
  sizes <- mapM takeMVar boxes
  traceMarkerIO "collect"
  performMinorGC
  performMajorGC
  when rtsSupportsBoundThreads $ do
    before <- getNumCapabilities
    setNumCapabilities (before + 1)
    performMajorGC
    setNumCapabilities before
  putStrLn ("sum " ++ show (sum sizes))
  putStrLn ("workers " ++ show workers)
