-- Threads that stop for every reason that a log has a number for.  Prints what it did: "key value"
-- lines, the truth for the log of its run; "blocks REASON" names the thread that must block so.
module Main (main) where

import Control.Concurrent
import Control.Concurrent.STM
import Control.Exception
import Control.Monad
import Debug.Trace (traceEventIO, traceMarkerIO)
import Foreign.C.Types (CInt (..), CUInt (..))
import GHC.Conc (labelThread)
import System.Posix.IO

foreign import ccall safe "usleep" sleepInC :: CUInt -> IO CInt

-- A thread with a name, and where to wait for its end.
begin :: String -> IO () -> IO (ThreadId, MVar ())
begin name action = do
  done <- newEmptyMVar
  thread <- forkIO ((myThreadId >>= \t -> labelThread t name) >> action `finally` putMVar done ())
  return (thread, done)

-- Counts down without allocation that the compiler could leave out; the noinlines keep it a thunk.
{-# NOINLINE work #-}
work :: Integer -> Integer
work n = go n 0
  where
    go 0 acc = acc
    go k acc = go (k - 1) (acc + k `mod` 7)

-- Deep enough that the first piece of a stack (1 KiB) and the next ones (32 KiB) do not suffice.
{-# NOINLINE deep #-}
deep :: Int -> Int
deep 0 = 0
deep n = 1 + deep (n - 1)

rounds, calls :: Int
rounds = 40
calls = 3

main :: IO ()
main = do
  myThreadId >>= \t -> labelThread t "main"
  traceMarkerIO "mvar"
  box <- newEmptyMVar
  reply <- newEmptyMVar
  (_, pingDone) <- begin "ping" (forM_ [1 .. rounds] (\i -> putMVar box i >> takeMVar reply))
  (_, pongDone) <- begin "pong \233" (replicateM_ rounds (takeMVar box >>= putMVar reply . (+ 1)))
  takeMVar pingDone
  takeMVar pongDone

  traceMarkerIO "read-mvar"
  shown <- newEmptyMVar
  (_, readerDone) <- begin "reader" (void (readMVar shown))
  yield
  threadDelay 2000
  putMVar shown ()
  takeMVar readerDone

  traceMarkerIO "stm"
  counter <- newTVarIO (0 :: Int)
  (_, retryDone) <- begin "retry" (atomically (readTVar counter >>= check . (>= 3)))
  forM_ [1 .. 3 :: Int] (\_ -> threadDelay 500 >> atomically (modifyTVar' counter (+ 1)))
  takeMVar retryDone

  traceMarkerIO "black-hole"
  let lazy = work 3000000
  started <- newEmptyMVar
  (_, ownerDone) <- begin "owner" (putMVar started () >> void (evaluate lazy))
  takeMVar started
  (_, guestDone) <- begin "guest" (void (evaluate lazy))
  takeMVar ownerDone
  takeMVar guestDone

  traceMarkerIO "throw-to"
  masked <- newEmptyMVar
  (target, targetDone) <- begin "target" $ (`catch` \e -> const (return ()) (e :: AsyncException)) $
    mask_ (putMVar masked () >> void (evaluate (work 2000000)))
  takeMVar masked
  (_, throwerDone) <- begin "thrower" (throwTo target ThreadKilled)
  takeMVar targetDone
  takeMVar throwerDone

  traceMarkerIO "delay"
  (_, sleeperDone) <- begin "sleeper" (threadDelay 5000)
  takeMVar sleeperDone

  traceMarkerIO "read"
  (readEnd, writeEnd) <- createPipe
  (_, waiterDone) <- begin "pipe reader" (threadWaitRead readEnd)
  threadDelay 500
  _ <- fdWrite writeEnd "x"
  takeMVar waiterDone

  traceMarkerIO "write"
  setFdOption writeEnd NonBlockingRead True
  let fill = do
        written <- try (fdWrite writeEnd (replicate 4096 'x'))
        case written of
          Left e -> const (return ()) (e :: IOException)
          Right _ -> fill
  fill
  (_, fillerDone) <- begin "pipe writer" (threadWaitWrite writeEnd)
  threadDelay 500
  _ <- fdRead readEnd 65536
  takeMVar fillerDone

  traceMarkerIO "foreign-call"
  (_, callerDone) <- begin "caller" (replicateM_ calls (sleepInC 500))
  takeMVar callerDone

  traceMarkerIO "stack"
  (_, deepDone) <- begin "deep" (void (evaluate (deep 100000)))
  takeMVar deepDone

  traceEventIO "all done"
  let report key value = putStrLn (key ++ " " ++ value)
  report "rounds" (show rounds)
  report "calls" (show calls)
  report "labels" "14"
  report "markers" "10"
  report "messages" "1"
  report "blocks mvar" "ping"
  report "blocks mvar" "main"
  report "blocks read-mvar" "reader"
  report "blocks stm" "retry"
  report "blocks black-hole" "guest"
  report "owns-black-hole" "owner"
  report "blocks throw-to" "thrower"
  -- In the threaded runtime its manager of input and output waits for these.
  unless rtsSupportsBoundThreads $ do
    report "blocks delay" "sleeper"
    report "blocks read" "pipe reader"
    report "blocks write" "pipe writer"
  report "stops stack-overflow" "deep"
  report "stops foreign-call" "caller"
