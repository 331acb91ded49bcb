{-# LANGUAGE ForeignFunctionInterface #-}
-- Server SOCKET: answers each line of one client with the same line, and marks it.
import Control.Monad (unless)
import Data.Word (Word16)
import Debug.Trace (traceMarkerIO)
import Foreign (Ptr, allocaBytes, castPtr, copyBytes, fillBytes, nullPtr, plusPtr, poke)
import Foreign.C (CInt (..), throwErrnoIfMinus1, throwErrnoIfMinus1_, withCStringLen)
import System.Environment (getArgs)
import System.IO (BufferMode (..), Handle, hGetLine, hIsEOF, hPutStrLn, hSetBuffering)
import System.Posix.IO (fdToHandle)

foreign import ccall "socket" c_socket :: CInt -> CInt -> CInt -> IO CInt
foreign import ccall "bind" c_bind :: CInt -> Ptr () -> CInt -> IO CInt
foreign import ccall "listen" c_listen :: CInt -> CInt -> IO CInt
foreign import ccall "accept" c_accept :: CInt -> Ptr () -> Ptr () -> IO CInt

-- struct sockaddr_un: AF_UNIX, and a path.
addressSize :: Int
addressSize = 110

listenAt :: String -> IO CInt
listenAt path = do
  fd <- throwErrnoIfMinus1 "socket" (c_socket 1 1 0)
  withCStringLen path $ \(text, n) -> allocaBytes addressSize $ \address -> do
    fillBytes address 0 addressSize
    poke (castPtr address) (1 :: Word16)
    copyBytes (address `plusPtr` 2) text n
    throwErrnoIfMinus1_ "bind" (c_bind fd address (fromIntegral addressSize))
  throwErrnoIfMinus1_ "listen" (c_listen fd 1)
  return fd

answer :: Handle -> IO ()
answer client = do
  ended <- hIsEOF client
  unless ended $ do
    line <- hGetLine client
    traceMarkerIO ("request " ++ line)
    hPutStrLn client line
    answer client

main :: IO ()
main = do
  [path] <- getArgs
  fd <- listenAt path
  client <- throwErrnoIfMinus1 "accept" (c_accept fd nullPtr nullPtr) >>= fdToHandle . fromIntegral
  hSetBuffering client LineBuffering
  answer client
