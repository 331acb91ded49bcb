-- Faults that a report finds: sparks whose values are computed before they run, collections by two threads
-- of which one does the work, a capability without work.
module Main (main) where

import Control.Exception (evaluate)
import Control.Monad (forM_, replicateM_)
import Data.IORef
import GHC.Clock (getMonotonicTimeNSec)
import GHC.Conc (par, pseq)
import System.Environment (getArgs)

-- The spark's value is computed at once, so the spark finds nothing to do.
fizzle :: Int -> IO ()
fizzle n = forM_ [1 .. n] $ \i -> do
  let x = sum [1 .. i + 100]
  _ <- evaluate (x `par` (x `pseq` x))
  return ()

-- One long list, whose elements are nothing to copy: no two threads can copy it at once.
collect :: Int -> IO ()
collect n = do
  list <- newIORef [()]
  replicateM_ n $ modifyIORef' list (() :)
  readIORef list >>= evaluate . length >>= print

-- This many ms of work on one capability.
work :: Integer -> IO ()
work ms = do
  start <- getMonotonicTimeNSec
  let loop i = do
        x <- evaluate (sum [1 .. i `mod` 1000 + 10000 :: Int])
        now <- getMonotonicTimeNSec
        if toInteger (now - start) > ms * 1000000 then print x else loop (i + 1)
  loop 0

main :: IO ()
main = do
  arguments <- getArgs
  case arguments of
    ["fizzle"] -> fizzle 2000
    ["collect"] -> collect 4000000
    ["work"] -> work 1200
    _ -> putStrLn "nothing"
