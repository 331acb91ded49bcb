-- Six requests in six threads, each with two queries within it.  Prints by the program's clock, in ns, "LABEL NAME
-- NS" of each, the time of each request without its queries, "LABEL self NS", and "covered - NS", the time in which
-- some request was open.
module Main (main) where

import Control.Concurrent
import Control.Monad (forM, forM_)
import Data.List (sort)
import Data.Word (Word64)
import Debug.Trace (traceEventIO)
import GHC.Clock (getMonotonicTimeNSec)
import GHC.Conc (labelThread)

type Span = (Word64, Word64)

-- The clock is read next to the message: before one that begins, after one that ends.
inSpan :: String -> IO a -> IO (Span, a)
inSpan name action = do
  start <- getMonotonicTimeNSec
  traceEventIO ("START " ++ name)
  result <- action
  traceEventIO ("STOP " ++ name)
  end <- getMonotonicTimeNSec
  return ((start, end), result)

query :: Int -> IO Span
query ms = fst <$> inSpan "query" (threadDelay (ms * 1000))

request :: Int -> IO (Span, [Span])
request i = inSpan "request" $ do
  threadDelay 3000
  first <- query (5 + i)
  threadDelay 2000
  second <- query (8 + 2 * i)
  threadDelay 4000
  return [first, second]

-- What spans cover that begin in this order, beyond a time.
covered :: Word64 -> [Span] -> Word64
covered _ [] = 0
covered to ((start, end) : rest) = max end from - from + covered (max to end) rest
  where
    from = max to start

report :: String -> String -> Word64 -> IO ()
report label name ns = putStrLn (unwords [label, name, show ns])

main :: IO ()
main = do
  ends <- forM [1 .. 6] $ \i -> do
    end <- newEmptyMVar
    thread <- forkIO $ do
      threadDelay (i * 7000)
      request i >>= putMVar end
    labelThread thread ("worker" ++ show i)
    return (i, end)
  threadDelay 150000
  found <- forM ends $ \(i, end) -> do
    (whole, queries) <- takeMVar end
    let label = "worker" ++ show i
        ns (start, stop) = stop - start
    report label "request" (ns whole)
    forM_ queries (report label "query" . ns)
    report label "self" (ns whole - sum (map ns queries))
    return whole
  report "covered" "-" (covered 0 (sort found))
