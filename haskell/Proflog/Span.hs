{-# LANGUAGE MagicHash, UnboxedTuples #-}

-- | Spans: pieces of work of a program, such as a request, with a name and a number, in its eventlog.  They are
-- written as the package opentelemetry writes them, and need no library of proflog.
--
-- Where the program writes no eventlog they do nothing.  @proflog report --reports=marks@ has their durations.
module Proflog.Span (beginSpan, endSpan, withSpan) where

import Control.Exception (bracket_)
import Data.Bits (shiftR)
import Data.Word (Word64, Word8)
import Foreign.C.String (CStringLen)
import Foreign.Marshal.Alloc (allocaBytes)
import Foreign.Marshal.Utils (copyBytes)
import Foreign.Ptr (Ptr, castPtr, plusPtr)
import Foreign.Storable (pokeByteOff)
import GHC.Exts (Int (I#), Ptr (Ptr), traceBinaryEvent#)
import qualified GHC.Foreign as Foreign
import GHC.IO (IO (IO))
import System.IO (utf8)

-- The kinds of messages.
begins, ends :: Word8
begins = 1
ends = 2

-- 'O' 'T' 3 KIND, the number with its lowest byte first, and the name.
put :: Word8 -> Word64 -> CStringLen -> IO ()
put kind number (name, length') = allocaBytes size $ \bytes -> do
  sequence_ [pokeByteOff bytes i byte | (i, byte) <- zip [0 ..] ([0x4f, 0x54, 3, kind] ++ digits)]
  copyBytes (bytes `plusPtr` 12) (castPtr name :: Ptr Word8) length'
  trace bytes size
 where
  size = 12 + length'
  digits = [fromIntegral (number `shiftR` (8 * i)) | i <- [0 .. 7]] :: [Word8]

trace :: Ptr Word8 -> Int -> IO ()
trace (Ptr address) (I# size) = IO $ \state -> case traceBinaryEvent# address size state of
  state' -> (# state', () #)

-- | A span of this name begins; a number has one span at a time.
beginSpan :: String -> Word64 -> IO ()
beginSpan name number = Foreign.withCStringLen utf8 name (put begins number)

-- | The span with this number ends, on any thread.
endSpan :: Word64 -> IO ()
endSpan number = Foreign.withCStringLen utf8 "" (put ends number)

-- | An action as a span; it ends with an exception, too.
withSpan :: String -> Word64 -> IO a -> IO a
withSpan name number = bracket_ (beginSpan name number) (endSpan number)
