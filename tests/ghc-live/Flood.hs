-- Says much more in its eventlog than any reader's queue holds, when it was given a line:
-- Flood MESSAGES.
module Main (main) where

import Control.Monad (forM_)
import Debug.Trace (traceEventIO)
import System.Environment (getArgs)

main :: IO ()
main = do
  [n] <- map read <$> getArgs
  _ <- getLine
  forM_ [1 .. n :: Int] $ \i -> traceEventIO (replicate 400 'x' ++ show i)
  print (sum [1 .. n])
