{-# LANGUAGE PatternSynonyms #-}
-- | Writes eventlogs: the functions of @proflog\/eventlog-writer.h@, one for each, which has their
-- description.  Those that post events are in "Proflog.EventlogEvents".
--
-- Link with @-lproflog-eventlog@.
module Proflog.EventlogWriter
  ( Writer (..), Cap, noCap
  , Result (..), pattern Ok, pattern Off, pattern ErrorOrder, pattern ErrorArgument
  , pattern ErrorTooLong, pattern ErrorMemory, pattern ErrorOutput, pattern ErrorBusy, resultText
  , Class (..), classes, className, classFind, classOf
  , new, free
  , setFile, setDescriptor, Take, newTake, setCallback, Clock, newClock, setClock
  , Policy (..), pattern Wait, pattern Drop, pattern Spool, setPolicy, setBufferSize
  , sendHeader, start, stop, restart
  , enable, disable, isEnabled, flush, sync, setFlushInterval, setSyncInterval
  , Figures (..), getFigures
  ) where

#include <proflog/eventlog-writer.h>

import Data.Word (Word32, Word64, Word8)
import Foreign.C.String (CString, peekCString, withCString)
import Foreign.C.Types (CBool (..), CInt (..), CSize (..), CUInt (..))
import Foreign.Marshal.Alloc (allocaBytes)
import Foreign.Ptr (FunPtr, Ptr, nullPtr)
import Foreign.Storable (peekByteOff)

-- | See 'new'.  The pointer is the one that C functions take.
newtype Writer = Writer (Ptr ())

-- | A capability.
type Cap = Word32

-- | Nobody's events.
noCap :: Cap
noCap = #{const GHC_NO_CAP}

-- | What became of a call; errors are below 0.
newtype Result = Result CInt deriving (Eq, Ord, Show)

pattern Ok, Off, ErrorOrder, ErrorArgument, ErrorTooLong, ErrorMemory, ErrorOutput, ErrorBusy :: Result
pattern Ok = Result #{const EVENTLOG_OK}
pattern Off = Result #{const EVENTLOG_OFF}
pattern ErrorOrder = Result (#{const EVENTLOG_ERROR_ORDER})
pattern ErrorArgument = Result (#{const EVENTLOG_ERROR_ARGUMENT})
pattern ErrorTooLong = Result (#{const EVENTLOG_ERROR_TOO_LONG})
pattern ErrorMemory = Result (#{const EVENTLOG_ERROR_MEMORY})
pattern ErrorOutput = Result (#{const EVENTLOG_ERROR_OUTPUT})
pattern ErrorBusy = Result (#{const EVENTLOG_ERROR_BUSY})

foreign import ccall unsafe "eventlog_result_text" c_result_text :: Result -> IO CString

resultText :: Result -> IO String
resultText result = c_result_text result >>= peekCString

-- | A class of events; see 'classFind'.
newtype Class = Class CInt deriving (Eq, Ord, Show)

classes :: [Class]
classes = map Class [0 .. #{const EVENTLOG_CLASSES} - 1]

foreign import ccall unsafe "eventlog_class_name" c_class_name :: Class -> IO CString
foreign import ccall unsafe "eventlog_class_find" c_class_find :: CString -> IO Class
-- | By the kind's place in the list of events.
foreign import ccall unsafe "eventlog_class_of" classOf :: CInt -> Class

-- | Of a class that there is.
className :: Class -> IO String
className which = c_class_name which >>= peekCString

classFind :: String -> IO (Maybe Class)
classFind name = do
  which <- withCString name c_class_find
  return (if which == Class #{const EVENTLOG_CLASSES} then Nothing else Just which)

-- Whatever may call back, or wait, lets others run.

foreign import ccall safe "eventlog_writer_new" c_new :: CString -> IO Writer

-- | 'Nothing': what the process is called.  Without memory it is an error.
new :: Maybe String -> IO Writer
new program = do
  w@(Writer p) <- maybe (c_new nullPtr) (`withCString` c_new) program
  if p == nullPtr then ioError (userError "no memory for a writer of eventlogs") else return w

foreign import ccall safe "eventlog_writer_free" free :: Writer -> IO ()

foreign import ccall safe "eventlog_writer_set_file" c_set_file :: Writer -> CString -> IO Result

setFile :: Writer -> FilePath -> IO Result
setFile w path = withCString path (c_set_file w)

foreign import ccall safe "eventlog_writer_set_descriptor" setDescriptor :: Writer -> CInt -> IO Result

-- | A destination: the data of 'setCallback', bytes, their number; whether they are accepted.
type Take = Ptr () -> Ptr Word8 -> CSize -> IO CBool

-- | To be freed with 'Foreign.Ptr.freeHaskellFunPtr' after the writer.
foreign import ccall "wrapper" newTake :: Take -> IO (FunPtr Take)
foreign import ccall safe "eventlog_writer_set_callback"
  setCallback :: Writer -> FunPtr Take -> Ptr () -> IO Result

type Clock = Ptr () -> IO Word64
foreign import ccall "wrapper" newClock :: Clock -> IO (FunPtr Clock)
foreign import ccall safe "eventlog_writer_set_clock"
  setClock :: Writer -> FunPtr Clock -> Ptr () -> IO Result

newtype Policy = Policy CInt deriving (Eq, Show)

pattern Wait, Drop, Spool :: Policy
pattern Wait = Policy #{const EVENTLOG_WAIT}
pattern Drop = Policy #{const EVENTLOG_DROP}
pattern Spool = Policy #{const EVENTLOG_SPOOL}

foreign import ccall safe "eventlog_writer_set_policy"
  setPolicy :: Writer -> Policy -> Word64 -> IO Result
foreign import ccall safe "eventlog_writer_set_buffer_size"
  setBufferSize :: Writer -> CSize -> IO Result
foreign import ccall safe "eventlog_writer_send_header" sendHeader :: Writer -> IO Result
foreign import ccall safe "eventlog_writer_start" start :: Writer -> IO Result
foreign import ccall safe "eventlog_writer_stop" stop :: Writer -> IO Result
foreign import ccall safe "eventlog_writer_restart" restart :: Writer -> IO Result

foreign import ccall safe "eventlog_writer_enable"
  c_enable :: Writer -> Class -> CString -> IO Result
foreign import ccall safe "eventlog_writer_disable"
  c_disable :: Writer -> Class -> CString -> IO Result

-- | With the names of some events of the class, with commas between them; none: all.
enable, disable :: Writer -> Class -> String -> IO Result
enable w which argument = withCString argument (c_enable w which)
disable w which argument = withCString argument (c_disable w which)

foreign import ccall unsafe "eventlog_writer_is_enabled"
  c_is_enabled :: Writer -> CInt -> IO CBool

-- | By the kind's place in the list of events.
isEnabled :: Writer -> CInt -> IO Bool
isEnabled w kind = (/= 0) <$> c_is_enabled w kind

foreign import ccall safe "eventlog_writer_flush" flush :: Writer -> IO Result
foreign import ccall safe "eventlog_writer_sync" sync :: Writer -> IO Result
-- | Milliseconds; 0: not at all.
foreign import ccall safe "eventlog_writer_set_flush_interval"
  setFlushInterval :: Writer -> CUInt -> IO Result
foreign import ccall safe "eventlog_writer_set_sync_interval"
  setSyncInterval :: Writer -> CUInt -> IO Result

data Figures = Figures
  { running :: Bool
  , errorNumber :: CInt
  , events, blocks, bytes, droppedBlocks, droppedEvents, droppedBytes, spooledBytes, remembered
  , forgotten :: Word64
  } deriving (Eq, Show)

foreign import ccall unsafe "eventlog_writer_get_figures" c_get_figures :: Writer -> Ptr () -> IO ()

getFigures :: Writer -> IO Figures
getFigures w = allocaBytes #{size struct eventlog_figures} $ \f -> do
  c_get_figures w f
  Figures
    <$> ((/= (0 :: Word8)) <$> #{peek struct eventlog_figures, running} f)
    <*> #{peek struct eventlog_figures, error} f
    <*> #{peek struct eventlog_figures, events} f
    <*> #{peek struct eventlog_figures, blocks} f
    <*> #{peek struct eventlog_figures, bytes} f
    <*> #{peek struct eventlog_figures, dropped_blocks} f
    <*> #{peek struct eventlog_figures, dropped_events} f
    <*> #{peek struct eventlog_figures, dropped_bytes} f
    <*> #{peek struct eventlog_figures, spooled_bytes} f
    <*> #{peek struct eventlog_figures, remembered} f
    <*> #{peek struct eventlog_figures, forgotten} f
