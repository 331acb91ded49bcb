-- Faults that a report finds: sparks whose values are computed before they run, or are too small, collections by
-- two threads of which one does the work, a capability without work, threads that compute while they hold an MVar or
-- that need one value, values that nobody evaluates.
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad (forM_, replicateM, replicateM_)
import Data.IORef
import qualified Data.Map as Map
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

-- Half a second of one thread that allocates, so that there are many collections, in which both capabilities take part.
fill :: IO ()
fill = do
  start <- getMonotonicTimeNSec
  let loop :: Int -> IO ()
      loop i = do
        x <- evaluate (sum (map (`mod` 7) (reverse [i .. i + 20000])))
        now <- getMonotonicTimeNSec
        if now - start > 500 * 1000000 then print x else loop (i + 1)
  loop 0

{-# NOINLINE step #-}
step :: Int -> Int -> Int
step i n = (n * 31 + i) `mod` 65537

-- A spark for each number: what it computes takes less time than the spark.
tiny :: Int -> IO ()
tiny n = forM_ [1 .. n] $ \i -> evaluate (sum (sparkEach (map (step i) [1 .. 2000])))
  where
    sparkEach :: [Int] -> [Int]
    sparkEach [] = []
    sparkEach (x : xs) = let rest = sparkEach xs in x `par` (rest `pseq` (x : rest))

-- Four threads whose work is done while they hold one MVar.
lock :: Int -> IO ()
lock n = do
  table <- newMVar (0 :: Int)
  done <- newEmptyMVar
  forM_ [1 .. 4 :: Int] $ \thread -> forkIO $ do
    forM_ [1 .. n] $ \i -> modifyMVar_ table $ \x -> evaluate (x + sum [thread .. i `mod` 7 + 20000])
    putMVar done ()
  replicateM_ 4 (takeMVar done)
  readMVar table >>= print

-- Four threads that wait for one another 160 times, each time for long.
convoy :: IO ()
convoy = do
  table <- newMVar (0 :: Integer)
  done <- newEmptyMVar
  forM_ [1 .. 4 :: Integer] $ \thread -> forkIO $ do
    forM_ [1 .. 40 :: Integer] $ \i -> modifyMVar_ table $ \x -> evaluate (x + sum [thread + i .. 300000])
    putMVar done ()
  replicateM_ 4 (takeMVar done)
  readMVar table >>= print

-- Four threads that need one value, again and again: one computes it, and the others wait for that.
shared :: IO ()
shared = forM_ [1 .. 12 :: Integer] $ \i -> do
  done <- newEmptyMVar
  let value = sum [i .. 3000000 + i]
  forM_ [1 .. 4 :: Integer] $ \thread -> forkIO $ evaluate (value + thread) >>= putMVar done
  replicateM 4 (takeMVar done) >>= print . sum

-- A map of sums that are evaluated at the end.
lazy :: Int -> IO ()
lazy n = do
  table <- newIORef (Map.empty :: Map.Map Int Integer)
  forM_ [1 .. n] $ \i -> modifyIORef table (Map.insertWith (+) (i `mod` 1000) (fromIntegral i))
  readIORef table >>= print . sum . Map.elems

main :: IO ()
main = do
  arguments <- getArgs
  case arguments of
    ["fizzle"] -> fizzle 2000
    ["collect"] -> collect 4000000
    ["work"] -> work 600
    ["fill"] -> fill
    ["tiny"] -> tiny 300
    ["lock"] -> lock 3000
    ["convoy"] -> convoy
    ["shared"] -> shared
    ["lazy"] -> lazy 1000000
    _ -> putStrLn "nothing"
