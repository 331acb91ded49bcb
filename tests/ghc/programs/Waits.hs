-- Threads that wait for known times while one works.  Prints "REASON LABEL NS" of each wait, "run LABEL
-- NS" of the one that works, and "idle - NS" of the times in which no thread could run, all by the
-- program's clock.
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad (void)
import Data.Word (Word64)
import Foreign.C.Types (CInt (..), CUInt (..))
import GHC.Clock (getMonotonicTimeNSec)
import GHC.Conc (labelThread)
import System.Posix.IO

foreign import ccall safe "usleep" sleepInC :: CUInt -> IO CInt

-- The action, and the time that it took.
timed :: IO () -> IO Word64
timed action = do
  start <- getMonotonicTimeNSec
  action
  end <- getMonotonicTimeNSec
  return (end - start)

report :: String -> String -> Word64 -> IO ()
report reason label ns = putStrLn (unwords [reason, label, show ns])

-- A thread that does this one thing; its report comes when it ends.
begin :: String -> String -> IO () -> IO (MVar ())
begin reason label action = do
  done <- newEmptyMVar
  void (forkIO (do
    myThreadId >>= \t -> labelThread t label
    ns <- timed action
    report reason label ns
    putMVar done ()))
  return done

{-# NOINLINE work #-}
work :: Int -> Int -> Int
work 0 acc = acc
work k acc = work (k - 1) ((acc * 1103515245 + 12345) `mod` 2147483648)

-- Works until so much time has passed.
workFor :: Word64 -> IO ()
workFor ns = do
  start <- getMonotonicTimeNSec
  let go n = do
        _ <- evaluate (work 100000 n)
        now <- getMonotonicTimeNSec
        if now - start < ns then go (n + 1) else return ()
  go 1

-- The runtime's timer interrupts it.
sleepInCFor :: Word64 -> IO ()
sleepInCFor ns = do
  passed <- timed (void (sleepInC (fromIntegral (ns `div` 1000))))
  if passed < ns then sleepInCFor (ns - passed) else return ()

main :: IO ()
main = do
  (readEnd, writeEnd) <- createPipe
  box <- newEmptyMVar
  taker <- begin "mvar" "taker" (takeMVar box)
  reader <- begin "read" "reader" (threadWaitRead readEnd)
  sleeper <- begin "delay" "sleeper" (threadDelay 400000)
  pause <- timed (threadDelay 200000)
  worker <- begin "run" "worker" (workFor 300000000)
  takeMVar worker
  putMVar box ()
  _ <- fdWrite writeEnd "x"
  mapM_ takeMVar [taker, reader, sleeper]
  start <- getMonotonicTimeNSec
  caller <- begin "foreign-call" "caller" (sleepInCFor 200000000)
  takeMVar caller
  end <- getMonotonicTimeNSec
  report "idle" "-" (pause + end - start)
