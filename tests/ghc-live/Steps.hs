-- Obeys the lines on its input, each on another thread that then is idle, and answers "done".
--   count N  N messages in the eventlog, "message 1" and so on, which are counted
--   flood N  N long ones, which are not
-- At the end it prints how many it counted, and ends with status 3.
module Main (main) where

import Control.Concurrent
import Control.Monad (forM, forM_, forever)
import Data.IORef
import Debug.Trace (traceEventIO)
import GHC.Conc (labelThread)
import System.Exit (ExitCode (ExitFailure), exitWith)
import System.IO

data Worker = Worker (MVar (IO ())) (MVar ())

newWorker :: Int -> IO Worker
newWorker n = do
  work <- newEmptyMVar
  end <- newEmptyMVar
  thread <- forkIO (forever (takeMVar work >>= id >> putMVar end ()))
  labelThread thread ("worker " ++ show n)
  return (Worker work end)

perform :: IORef Int -> [String] -> IO ()
perform counted ["count", n] = forM_ [1 .. read n :: Int] $ \_ -> do
  number <- atomicModifyIORef' counted (\k -> (k + 1, k + 1))
  traceEventIO ("message " ++ show number)
perform _ ["flood", n] = forM_ [1 .. read n :: Int] $ \k -> traceEventIO (replicate 400 'x' ++ show k)
perform _ line = fail (unwords line)

loop :: IORef Int -> [Worker] -> IO ()
loop counted (Worker work end : others) = do
  over <- isEOF
  if over
    then return ()
    else do
      line <- getLine
      putMVar work (perform counted (words line))
      takeMVar end
      putStrLn "done"
      loop counted others
loop _ [] = return ()

main :: IO ()
main = do
  hSetBuffering stdout LineBuffering
  workers <- forM [1 .. 3] newWorker
  counted <- newIORef 0
  loop counted (cycle workers)
  readIORef counted >>= \n -> putStrLn ("counted " ++ show n)
  exitWith (ExitFailure 3)
