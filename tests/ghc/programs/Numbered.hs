-- Four threads with 5 spans each of Proflog.Span, a span in each of them, and one that goes to another thread.
module Main (main) where

import Control.Concurrent
import Control.Monad (forM_)
import Data.Word (Word64)
import Proflog.Span

work :: Word64 -> IO ()
work number = withSpan "request" number $ do
  threadDelay 2000
  withSpan "query \955" (1000 + number) (threadDelay 1000)

main :: IO ()
main = do
  done <- newEmptyMVar
  forM_ [0 .. 3] $ \thread -> forkIO $ do
    forM_ [1 .. 5] $ \i -> work (thread * 5 + i)
    putMVar done ()
  forM_ [0 .. 3 :: Int] $ \_ -> takeMVar done
  beginSpan "crossing" 5000
  _ <- forkIO (endSpan 5000 >> putMVar done ())
  takeMVar done
