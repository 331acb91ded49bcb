-- | Requests of a program to libproflog-ghc, which records it: the verbs of @proflog ctl@ (see
-- proflog-ghc(7)), from any thread.
--
-- Compile it with the program, which is linked with proflog-main.c and @-lproflog-ghc@.  If the program is
-- not recorded all functions only return 'False'; so the calls can stay in a program.
module Proflog.Program
  ( control, isRecorded, start, stop, enable, disable, flush, setFlush, sync, output, mark
  ) where

import Control.Concurrent (rtsSupportsBoundThreads)
import Control.Monad (unless)
import Debug.Trace (traceMarkerIO)
import Foreign.C.String (CString)
import Foreign.C.Types (CInt (..), CSize (..))
import Foreign.Marshal.Alloc (allocaBytes)
import qualified GHC.Foreign as Foreign
import System.IO (utf8)
import System.Mem (performMinorGC)

-- The runtime may collect meanwhile, so these are safe.
foreign import ccall safe "proflog_control" c_control :: CString -> CString -> CSize -> IO CInt
foreign import ccall safe "proflog_ghc_request_flush" c_request_flush :: IO ()

-- | Carries out a request of @proflog ctl PID REQUEST@.  Returns whether it was done, and the reply, which has
-- the reason if it was not; it is empty if the program is not recorded.
control :: String -> IO (Bool, String)
control text = do
  -- A runtime with one thread writes out its buffers in collections, and not while it waits.
  unless rtsSupportsBoundThreads (c_request_flush >> performMinorGC)
  Foreign.withCString utf8 text $ \bytes -> allocaBytes size $ \reply -> do
    result <- c_control bytes reply (fromIntegral size)
    answer <- Foreign.peekCString utf8 reply
    return (result == 0, answer)
 where
  size = 65536

request :: [String] -> IO Bool
request = fmap fst . control . unwords

-- | Whether this program is recorded.
isRecorded :: IO Bool
isRecorded = request ["status"]

-- | Records events again; and no more.
start, stop :: IO Bool
start = request ["start"]
stop = request ["stop"]

-- | Classes of events, by their names: "scheduler", "gc", "heap"...
enable, disable :: [String] -> IO Bool
enable = request . ("enable" :)
disable = request . ("disable" :)

-- | Passes all events so far to the readers.
flush :: IO Bool
flush = request ["flush"]

-- | The interval of flushes, in milliseconds; 0: only on request of 'flush'.
setFlush :: Int -> IO Bool
setFlush ms = request ["set", "flush=" ++ show ms ++ "ms"]

-- | Announces the state of the program again to the readers: threads, capabilities, the size of the heap.
sync :: IO Bool
sync = request ["sync"]

-- | The destination of the log from now on: a path, @unix:PATH@, @unix-listen:PATH@, @#DESCRIPTOR@ or @|COMMAND@.
output :: String -> IO Bool
output target = request ["output", target]

-- | Records a mark of this name, also in an eventlog that the runtime itself writes.
mark :: String -> IO ()
mark = traceMarkerIO
