-- A heap whose parts grow, stay and go: for heap profiles.  A list of pairs grows without end, a map
-- stays, and strings come and go.
module Main (main) where

import Control.Exception (evaluate)
import Control.Monad
import qualified Data.Map.Strict as Map
import Data.IORef
import Debug.Trace (traceMarkerIO)
import System.Environment (getArgs)
import System.Mem (performGC)

data Pair = Pair !Int !Int

{-# NOINLINE growing #-}
growing :: Int -> [Pair] -> [Pair]
growing i old = {-# SCC "growing" #-} go (400 :: Int) old
  where
    go 0 pairs = pairs
    go k pairs = let pair = Pair i k in pair `seq` go (k - 1) (pair : pairs)

{-# NOINLINE steady #-}
steady :: Int -> Map.Map Int Int
steady n = {-# SCC "steady" #-} Map.fromList [(k, k * n) | k <- [1 .. 1500]]

{-# NOINLINE passing #-}
passing :: Int -> Int
passing i = {-# SCC "passing" #-} length (concatMap show [i * 1000 .. i * 1000 + 60000])

main :: IO ()
main = do
  arguments <- getArgs
  let steps = case arguments of
        (n : _) -> read n
        [] -> 12
  leak <- newIORef []
  let table = steady 3
  _ <- evaluate (Map.size table)
  lengths <- forM [1 .. steps] $ \i -> do
    modifyIORef' leak (growing i)
    l <- evaluate (passing i)
    performGC
    when (i == 6) (traceMarkerIO "half")
    return l
  left <- readIORef leak
  putStrLn ("pairs " ++ show (length left))
  putStrLn ("table " ++ show (Map.foldl' (+) 0 table))
  putStrLn ("letters " ++ show (sum lengths))
