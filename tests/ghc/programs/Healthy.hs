-- Programs of usual kinds, without a fault that a report should find.
module Main (main) where

import Control.Concurrent
import Control.Concurrent.STM
import Control.Monad (forM, forM_, forever, replicateM_)
import qualified Data.Map.Strict as Map
import System.Environment (getArgs)
import System.IO

-- Counts words.
count :: IO ()
count = print (Map.size (Map.fromListWith (+) [(show (n * n `mod` 1009), 1 :: Int) | n <- [1 .. 20000 :: Int]]))

-- Threads that each hand over one result.
fork :: IO ()
fork = do
  results <- forM [1 .. 20 :: Int] $ \i -> do
    result <- newEmptyMVar
    _ <- forkIO (putMVar result $! sum [1 .. 1000 * i])
    return result
  mapM takeMVar results >>= print . sum

-- Two threads that share a queue.
share :: IO ()
share = do
  queue <- newTQueueIO
  done <- newEmptyMVar
  _ <- forkIO $ replicateM_ 2000 (atomically (readTQueue queue)) >> putMVar done ()
  forM_ [1 .. 2000 :: Int] $ atomically . writeTQueue queue
  takeMVar done
  putStrLn "shared"

-- Four workers of a channel, each job of which is much more work than to take it.
pool :: IO ()
pool = do
  jobs <- newChan
  results <- newChan
  replicateM_ 4 $ forkIO $ forever $ do
    n <- readChan jobs
    writeChan results $! sum [1 .. n :: Int]
  forM_ [1 .. 400] $ \i -> do
    writeChan jobs (40000 + i)
    threadDelay 1000
  replicateM_ 400 (readChan results)
  putStrLn "worked"

-- Lines of a file.
text :: IO ()
text = do
  writeFile "healthy.txt" (unlines (map show [1 .. 10000 :: Int]))
  withFile "healthy.txt" ReadMode $ \file -> hGetContents file >>= print . length . filter ((> 3) . length) . lines

main :: IO ()
main = do
  arguments <- getArgs
  case arguments of
    ["count"] -> count
    ["fork"] -> fork
    ["share"] -> share
    ["pool"] -> pool
    ["text"] -> text
    _ -> fail "count, fork, share, pool or text"
