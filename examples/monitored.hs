-- monitored.hs -- a program that takes commands from its standard input, works, and switches its own log:
--
--   work N          computes something N times
--   mark NAME       notes NAME in the log
--   start, stop     records, and does not
--   enable CLASS..., disable CLASS...
--   flush, sync     what was recorded, and what lives, comes to the readers
--   output TARGET   the log goes on there
--   quit
--
--   ghc -threaded -eventlog -no-hs-main -iPREFIX/share/proflog/haskell monitored.hs proflog-main.c -lproflog-ghc
--   mkfifo log && proflog follow log &
--   PROFLOG_GHC=output=log ./monitored
module Main (main) where

import qualified Proflog.Program as Log
import System.IO
import Text.Read (readMaybe)

work :: Int -> IO ()
work n = do
  Log.mark "work"
  print (sum [toInteger (i * i `mod` 7) | i <- [1 .. n * 1000]])

answer :: Bool -> IO ()
answer done = putStrLn (if done then "ok" else "not done")

run :: [String] -> IO ()
run ["work", n] | Just times <- readMaybe n = work times
run ("mark" : name) = Log.mark (unwords name)
run ("start" : _) = Log.start >>= answer
run ("stop" : _) = Log.stop >>= answer
run ("enable" : classes) = Log.enable classes >>= answer
run ("disable" : classes) = Log.disable classes >>= answer
run ("flush" : _) = Log.flush >>= answer
run ("sync" : _) = Log.sync >>= answer
run ("output" : target) = Log.output (unwords target) >>= answer
run _ = putStrLn "work N, mark NAME, start, stop, enable CLASS, disable CLASS, flush, sync, output TARGET, quit"

main :: IO ()
main = do
  hSetBuffering stdout LineBuffering
  loop
 where
  loop = do
    done <- isEOF
    line <- if done then return "quit" else getLine
    if line == "quit" then return () else run (words line) >> loop
