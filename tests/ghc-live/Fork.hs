-- A child of the process, whose log it is not.
module Main (main) where

import Debug.Trace (traceEventIO)
import System.IO (BufferMode (LineBuffering), hSetBuffering, stdout)
import System.Mem (performGC)
import System.Posix.Process (forkProcess, getProcessStatus)

main :: IO ()
main = do
  hSetBuffering stdout LineBuffering
  traceEventIO "before"
  child <- forkProcess (traceEventIO "child" >> performGC >> putStrLn "child")
  _ <- getProcessStatus True False child
  traceEventIO "parent"
  putStrLn "parent"
