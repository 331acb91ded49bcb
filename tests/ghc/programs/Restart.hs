-- Stops recording and starts it again: what follows goes to the end of the same file, so that the
-- log becomes two logs in a row.
module Main (main) where

import Control.Concurrent
import Control.Monad (replicateM_)
import Debug.Trace (traceEventIO)
import Foreign.C.Types (CInt (..))
import System.Environment (getArgs)
import Foreign.C.String

foreign import ccall "stop_recording" stopRecording :: IO ()
foreign import ccall "append_to" appendTo :: CString -> IO CInt
foreign import ccall "flush_recording" flushRecording :: IO ()

handOver :: IO ()
handOver = do
  box <- newEmptyMVar
  _ <- forkIO (putMVar box ())
  takeMVar box

main :: IO ()
main = do
  [path] <- getArgs
  traceEventIO "first"
  replicateM_ 3 handOver
  flushRecording
  stopRecording
  traceEventIO "not recorded"
  handOver
  started <- withCString path appendTo
  traceEventIO "second"
  replicateM_ 2 handOver
  putStrLn ("started " ++ show started)
  putStrLn "messages 2"
