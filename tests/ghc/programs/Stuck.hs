-- Threads that wait in known ways when the program is killed, two of them for each other's values for ever.  Prints
-- "LABEL STATE [OWNER]" of each, but for those for which it depends on the runtime, has the runtime write what its log lacks, and kills itself.
-- With an argument the runtime has one system thread, in which a foreign call would stop all others.
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad (forever, void, when)
import Foreign.C.Types (CInt (..), CUInt (..))
import Foreign.StablePtr (newStablePtr)
import GHC.Conc (atomically, labelThread, newTVarIO, readTVar, retry)
import System.Environment (getArgs)
import System.IO (hFlush, stdout)
import System.IO.Unsafe (unsafePerformIO)
import System.Posix.IO

foreign import ccall safe "usleep" sleepInC :: CUInt -> IO CInt
foreign import ccall unsafe "endEventLogging" endEventLogging :: IO ()
foreign import ccall unsafe "raise" raiseSignal :: CInt -> IO CInt

-- The stable pointer has the runtime take the thread for one that others may still reach.
begin :: String -> IO () -> IO ()
begin label action = do
  thread <- forkIO (myThreadId >>= \t -> labelThread t label >> action)
  void (newStablePtr thread)

-- Of two values, each needs the other one, after a while in which both threads have begun.
circle :: (Int, Int)
circle = (first, second)
  where
    first = unsafePerformIO (threadDelay 50000) `seq` (second + 1)
    second = unsafePerformIO (threadDelay 50000) `seq` (first + 1)
{-# NOINLINE circle #-}

main :: IO ()
main = do
  isThreaded <- null <$> getArgs
  box <- newEmptyMVar :: IO (MVar ())
  variable <- newTVarIO False
  (readEnd, _) <- createPipe
  void (newStablePtr box)
  begin "taker" (takeMVar box)
  begin "reader" (threadWaitRead readEnd)
  begin "sleeper" (threadDelay 1000000000)
  begin "retrying" (atomically (readTVar variable >>= \b -> if b then return () else retry))
  when isThreaded (begin "caller" (forever (void (sleepInC 1000000))))
  begin "left" (void (evaluate (fst circle)))
  begin "right" (void (evaluate (snd circle)))
  begin "brief" (return ())
  threadDelay 200000
  begin "third" (void (evaluate (fst circle)))
  threadDelay 200000
  mapM_ putStrLn
    ["taker mvar", "retrying stm", "left black-hole right", "right black-hole left", "third black-hole left"]
  mapM_ putStrLn (if isThreaded then ["caller foreign-call"] else ["reader read", "sleeper delay"])
  hFlush stdout
  endEventLogging
  void (raiseSignal 9)
