-- bench-switches.hs -- threads that hand values to each other, as pipelines and servers do: nearly all
-- of its eventlog is threads that stop, wake up others and run, with messages and collections between.
module Main (main) where

import Control.Concurrent
import Control.Monad
import qualified Data.IntMap.Strict as Map
import Debug.Trace (traceEventIO, traceMarkerIO)
import GHC.Conc (labelThread)
import System.Environment (getArgs)

-- What a request is answered with; some of it is kept, so that there are collections of all sizes.
serve :: MVar Int -> MVar Int -> Int -> IO ()
serve requests answers rounds = loop Map.empty rounds
  where
    loop _ 0 = return ()
    loop kept n = do
      request <- takeMVar requests
      let next = Map.insert (request `mod` 199) request kept
      when (n `mod` 5000 == 0) $
        traceEventIO ("served " ++ show request ++ ", kept " ++ show (Map.size next))
      putMVar answers $! Map.foldl' max request next
      loop next (n - 1)

ask :: MVar Int -> MVar Int -> MVar () -> Int -> IO ()
ask requests answers done rounds = do
  forM_ [1 .. rounds] $ \n -> putMVar requests n >> takeMVar answers
  putMVar done ()

main :: IO ()
main = do
  [pairs, rounds] <- map read <$> getArgs
  traceMarkerIO "begin"
  dones <- forM [1 .. pairs :: Int] $ \pair -> do
    requests <- newEmptyMVar
    answers <- newEmptyMVar
    done <- newEmptyMVar
    server <- forkIO (serve requests answers rounds)
    labelThread server ("server " ++ show pair)
    asker <- forkIO (ask requests answers done rounds)
    labelThread asker ("asker " ++ show pair)
    return done
  mapM_ takeMVar dones
  traceMarkerIO "end"
