-- Calls each function of the Haskell modules: TestHaskell FILE.  The file gets two logs with every
-- event, as post-all writes them.
module Main (main) where

import Calls (calls)
import Control.Monad (forM_, unless)
import Data.ByteString.Char8 (pack)
import Data.IORef
import Foreign.Ptr (freeHaskellFunPtr, nullPtr)
import Proflog.EventlogEvents
import Proflog.EventlogWriter
import System.Environment (getArgs)

expect :: (Eq a, Show a) => String -> a -> IO a -> IO ()
expect what wanted action = do
  got <- action
  unless (got == wanted) $ fail (what ++ ": " ++ show got ++ ", not " ++ show wanted)

main :: IO ()
main = do
  [path] <- getArgs
  w <- new (Just "unused")
  expect "order" ErrorOrder (start w)
  expect "file" Ok (setFile w path)
  expect "buffer" Ok (setBufferSize w 100000)
  expect "policy" Ok (setPolicy w Wait 0)
  forM_ [1, 2 :: Int] $ \_ -> do
    expect "header" Ok (sendHeader w)
    expect "start" Ok (start w)
    forM_ (calls w) (expect "event" Ok)
    expect "stop" Ok (stop w)
  free w
  testCallback
  testDescriptor

testCallback :: IO ()
testCallback = do
  taken <- newIORef []
  now <- newIORef 0
  take' <- newTake (\_ _ n -> do modifyIORef taken (fromIntegral n :); return 1)
  clock <- newClock (\_ -> atomicModifyIORef now (\t -> (t + 10, t)))
  w <- new Nothing
  expect "callback" Ok (setCallback w take' nullPtr)
  expect "clock" Ok (setClock w clock nullPtr)
  expect "header" Ok (sendHeader w)
  expect "start" Ok (start w)
  Just user <- classFind "user"
  expect "no class" Nothing (classFind "nobody")
  expect "name" "user" (className user)
  expect "classes" True (return (user `elem` classes))
  expect "class of the first kind" (Just (classOf 0)) (classFind "scheduler")
  expect "disable" Ok (disable w user "user-msg")
  expect "off" Off (postUserMsg w 0 (pack "hello"))
  expect "enabled" True (isEnabled w 0)
  expect "enable" Ok (enable w user "")
  expect "on" Ok (postUserMsg w 0 (pack "hello"))
  expect "flush" Ok (flush w)
  -- A block of a marker, 24 bytes, and an event, 12 and its text.
  expect "block" 41 (head <$> readIORef taken :: IO Int)
  expect "thread" Ok (postCreateThread w noCap 1)
  expect "flush timer" Ok (setFlushInterval w 60000)
  expect "sync timer" Ok (setSyncInterval w 60000)
  expect "restart" Ok (restart w)
  expect "sync" Ok (sync w)
  f <- getFigures w
  expect "figures" (True, 0, 4, 2, 1) (return (running f, errorNumber f, events f, blocks f, remembered f))
  expect "what no runtime writes" Ok (postHackBugT9003 w 0)
  expect "text" "that cannot be done now" (resultText ErrorOrder)
  free w
  freeHaskellFunPtr take'
  freeHaskellFunPtr clock

testDescriptor :: IO ()
testDescriptor = do
  w <- new Nothing
  expect "no descriptor" ErrorArgument (setDescriptor w (-1))
  expect "a bad descriptor" Ok (setDescriptor w 999)
  expect "cannot write" ErrorOutput (sendHeader w)
  free w
