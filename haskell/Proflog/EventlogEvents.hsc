-- | Posts the events of an eventlog, one function for each.
--
-- Made from @include\/proflog\/ghc-events.def@ by @haskell\/print-eventlog-events@; do not edit.
module Proflog.EventlogEvents
  ( postCreateThread
  , postRunThread
  , postStopThread
  , postThreadRunnable
  , postMigrateThread
  , postRunSpark
  , postStealSpark
  , postShutdown
  , postThreadWakeup
  , postGcStart
  , postGcEnd
  , postRequestSeqGc
  , postRequestParGc
  , postCreateSparkThread
  , postLogMsg
  , postStartup
  , postUserMsg
  , postGcIdle
  , postGcWork
  , postGcDone
  , postVersion
  , postProgramInvocation
  , postCapsetCreate
  , postCapsetDelete
  , postCapsetAssignCap
  , postCapsetRemoveCap
  , postRtsIdentifier
  , postProgramArgs
  , postProgramEnv
  , postOsprocessPid
  , postOsprocessPpid
  , postSparkCounters
  , postSparkCreate
  , postSparkDud
  , postSparkOverflow
  , postSparkRun
  , postSparkSteal
  , postSparkFizzle
  , postSparkGc
  , postInternString
  , postWallClockTime
  , postThreadLabel
  , postCapCreate
  , postCapDelete
  , postCapDisable
  , postCapEnable
  , postHeapAllocated
  , postHeapSize
  , postHeapLive
  , postHeapInfoGhc
  , postGcStatsGhc
  , postGcGlobalSync
  , postTaskCreate
  , postTaskMigrate
  , postTaskDelete
  , postUserMarker
  , postHackBugT9003
  , postEdenStartReceive
  , postEdenEndReceive
  , postCreateProcess
  , postKillProcess
  , postAssignThreadToProcess
  , postCreateMachine
  , postKillMachine
  , postSendMessage
  , postReceiveMessage
  , postSendReceiveLocalMessage
  , postMemReturn
  , postBlocksSize
  , postMerStartParConjunction
  , postMerStopParConjunction
  , postMerStopParConjunct
  , postMerCreateSpark
  , postMerFutCreate
  , postMerFutWaitNosuspend
  , postMerFutWaitSuspended
  , postMerFutSignal
  , postMerLookingForGlobalContext
  , postMerWorkStealing
  , postMerReleaseContext
  , postMerEngineSleeping
  , postMerLookingForLocalSpark
  , postMerCallingMain
  , postPerfName
  , postPerfCounter
  , postPerfTracepoint
  , postHeapProfBegin
  , postHeapProfCostCentre
  , postHeapProfSampleBegin
  , postHeapProfSampleCostCentre
  , postHeapProfSampleString
  , postHeapProfSampleEnd
  , postHeapBioProfSampleBegin
  , postProfSampleCostCentre
  , postProfBegin
  , postIpe
  , postUserBinaryMsg
  , postConcMarkBegin
  , postConcMarkEnd
  , postConcSyncBegin
  , postConcSyncEnd
  , postConcSweepBegin
  , postConcSweepEnd
  , postConcUpdRemSetFlush
  , postNonmovingHeapCensus
  , postNonmovingPrunedSegments
  , postTickyCounterDef
  , postTickyCounterSample
  , postTickyCounterBeginSample
  ) where

#include <proflog/eventlog-writer.h>

import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import Data.ByteString.Unsafe (unsafeUseAsCStringLen)
import Data.Word (Word16, Word32, Word64, Word8)
import Foreign.C.Types (CInt (..), CSize)
import Foreign.Marshal.Alloc (allocaBytes)
import Foreign.Marshal.Utils (fillBytes)
import Foreign.Ptr (Ptr, plusPtr)
import Foreign.Storable (Storable, pokeByteOff, pokeElemOff)
import Proflog.EventlogWriter (Cap, Result (..), Writer (..))

-- All its fields are there.
withEvent :: Int -> (Ptr () -> IO a) -> IO a
withEvent size use = allocaBytes size $ \e -> do
  fillBytes e 0 size
  pokeByteOff e 0 (maxBound :: Word32)
  use e

putNumber :: Storable n => Ptr () -> Int -> n -> IO a -> IO a
putNumber e at number use = pokeByteOff e at number >> use

putText :: Ptr () -> Int -> ByteString -> IO a -> IO a
putText e at text use = unsafeUseAsCStringLen text $ \(bytes, n) -> do
  pokeByteOff e (at + #{offset struct ghc_text, text}) bytes
  pokeByteOff e (at + #{offset struct ghc_text, length}) (fromIntegral n :: CSize)
  use

-- Each is closed by a NUL.
putTexts :: Ptr () -> Int -> [ByteString] -> IO a -> IO a
putTexts e at texts = putText e at (B.concat (map (`B.snoc` 0) texts))

-- One that is too long is refused as a whole.
putStack :: Ptr () -> Int -> [Word32] -> IO a -> IO a
putStack e at stack use = do
  let items = e `plusPtr` (at + #{offset struct ghc_stack, items})
  sequence_ [pokeElemOff items i n | (i, n) <- zip [0 .. #{const GHC_STACK_MAX} - 1] stack]
  pokeByteOff e (at + #{offset struct ghc_stack, count}) (fromIntegral (length stack) :: CSize)
  use

-- | A thread was created: the thread.
postCreateThread :: Writer -> Cap -> Word32 -> IO Result
postCreateThread w blockCap thread =
  withEvent #{size struct ghc_create_thread} $ \e ->
    putNumber e #{offset struct ghc_create_thread, thread} thread $
    c_post_create_thread w blockCap e

foreign import ccall safe "eventlog_post_create_thread"
  c_post_create_thread :: Writer -> Cap -> Ptr () -> IO Result

-- | A thread begins to run: the thread.
postRunThread :: Writer -> Cap -> Word32 -> IO Result
postRunThread w blockCap thread =
  withEvent #{size struct ghc_run_thread} $ \e ->
    putNumber e #{offset struct ghc_run_thread, thread} thread $
    c_post_run_thread w blockCap e

foreign import ccall safe "eventlog_post_run_thread"
  c_post_run_thread :: Writer -> Cap -> Ptr () -> IO Result

-- | A thread stops running: the thread; reason; black hole: thread that owns it, 0 if unknown; stack overflow: size of the stack in words.
postStopThread :: Writer -> Cap -> Word32 -> Word16 -> Word32 -> IO Result
postStopThread w blockCap thread status info =
  withEvent #{size struct ghc_stop_thread} $ \e ->
    putNumber e #{offset struct ghc_stop_thread, thread} thread $
    putNumber e #{offset struct ghc_stop_thread, status} status $
    putNumber e #{offset struct ghc_stop_thread, info} info $
    c_post_stop_thread w blockCap e

foreign import ccall safe "eventlog_post_stop_thread"
  c_post_stop_thread :: Writer -> Cap -> Ptr () -> IO Result

-- | A thread may run: the thread.
postThreadRunnable :: Writer -> Cap -> Word32 -> IO Result
postThreadRunnable w blockCap thread =
  withEvent #{size struct ghc_thread_runnable} $ \e ->
    putNumber e #{offset struct ghc_thread_runnable, thread} thread $
    c_post_thread_runnable w blockCap e

foreign import ccall safe "eventlog_post_thread_runnable"
  c_post_thread_runnable :: Writer -> Cap -> Ptr () -> IO Result

-- | A thread moves to another capability: the thread; new capability.
postMigrateThread :: Writer -> Cap -> Word32 -> Word16 -> IO Result
postMigrateThread w blockCap thread newCap =
  withEvent #{size struct ghc_migrate_thread} $ \e ->
    putNumber e #{offset struct ghc_migrate_thread, thread} thread $
    putNumber e #{offset struct ghc_migrate_thread, new_cap} newCap $
    c_post_migrate_thread w blockCap e

foreign import ccall safe "eventlog_post_migrate_thread"
  c_post_migrate_thread :: Writer -> Cap -> Ptr () -> IO Result

-- | A thread runs a spark of its capability (to 7.2): the thread.
postRunSpark :: Writer -> Cap -> Word32 -> IO Result
postRunSpark w blockCap thread =
  withEvent #{size struct ghc_run_spark} $ \e ->
    putNumber e #{offset struct ghc_run_spark, thread} thread $
    c_post_run_spark w blockCap e

foreign import ccall safe "eventlog_post_run_spark"
  c_post_run_spark :: Writer -> Cap -> Ptr () -> IO Result

-- | A thread takes another one's spark (to 7.2): the thread; capability that had the spark.
postStealSpark :: Writer -> Cap -> Word32 -> Word16 -> IO Result
postStealSpark w blockCap thread victimCap =
  withEvent #{size struct ghc_steal_spark} $ \e ->
    putNumber e #{offset struct ghc_steal_spark, thread} thread $
    putNumber e #{offset struct ghc_steal_spark, victim_cap} victimCap $
    c_post_steal_spark w blockCap e

foreign import ccall safe "eventlog_post_steal_spark"
  c_post_steal_spark :: Writer -> Cap -> Ptr () -> IO Result

-- | The capability shuts down (to 7.4).
postShutdown :: Writer -> Cap -> IO Result
postShutdown w blockCap =
  withEvent #{size struct ghc_shutdown} $ \e ->
    c_post_shutdown w blockCap e

foreign import ccall safe "eventlog_post_shutdown"
  c_post_shutdown :: Writer -> Cap -> Ptr () -> IO Result

-- | A thread is woken up: the thread; capability that will run it.
postThreadWakeup :: Writer -> Cap -> Word32 -> Word16 -> IO Result
postThreadWakeup w blockCap thread otherCap =
  withEvent #{size struct ghc_thread_wakeup} $ \e ->
    putNumber e #{offset struct ghc_thread_wakeup, thread} thread $
    putNumber e #{offset struct ghc_thread_wakeup, other_cap} otherCap $
    c_post_thread_wakeup w blockCap e

foreign import ccall safe "eventlog_post_thread_wakeup"
  c_post_thread_wakeup :: Writer -> Cap -> Ptr () -> IO Result

-- | The capability begins a collection.
postGcStart :: Writer -> Cap -> IO Result
postGcStart w blockCap =
  withEvent #{size struct ghc_gc_start} $ \e ->
    c_post_gc_start w blockCap e

foreign import ccall safe "eventlog_post_gc_start"
  c_post_gc_start :: Writer -> Cap -> Ptr () -> IO Result

-- | The capability ends a collection.
postGcEnd :: Writer -> Cap -> IO Result
postGcEnd w blockCap =
  withEvent #{size struct ghc_gc_end} $ \e ->
    c_post_gc_end w blockCap e

foreign import ccall safe "eventlog_post_gc_end"
  c_post_gc_end :: Writer -> Cap -> Ptr () -> IO Result

-- | A sequential collection is requested.
postRequestSeqGc :: Writer -> Cap -> IO Result
postRequestSeqGc w blockCap =
  withEvent #{size struct ghc_request_seq_gc} $ \e ->
    c_post_request_seq_gc w blockCap e

foreign import ccall safe "eventlog_post_request_seq_gc"
  c_post_request_seq_gc :: Writer -> Cap -> Ptr () -> IO Result

-- | A parallel collection is requested.
postRequestParGc :: Writer -> Cap -> IO Result
postRequestParGc w blockCap =
  withEvent #{size struct ghc_request_par_gc} $ \e ->
    c_post_request_par_gc w blockCap e

foreign import ccall safe "eventlog_post_request_par_gc"
  c_post_request_par_gc :: Writer -> Cap -> Ptr () -> IO Result

-- | A thread to run sparks was created: the thread.
postCreateSparkThread :: Writer -> Cap -> Word32 -> IO Result
postCreateSparkThread w blockCap sparkThread =
  withEvent #{size struct ghc_create_spark_thread} $ \e ->
    putNumber e #{offset struct ghc_create_spark_thread, spark_thread} sparkThread $
    c_post_create_spark_thread w blockCap e

foreign import ccall safe "eventlog_post_create_spark_thread"
  c_post_create_spark_thread :: Writer -> Cap -> Ptr () -> IO Result

-- | A message of the runtime: the message.
postLogMsg :: Writer -> Cap -> ByteString -> IO Result
postLogMsg w blockCap message =
  withEvent #{size struct ghc_log_msg} $ \e ->
    putText e #{offset struct ghc_log_msg, message} message $
    c_post_log_msg w blockCap e

foreign import ccall safe "eventlog_post_log_msg"
  c_post_log_msg :: Writer -> Cap -> Ptr () -> IO Result

-- | The runtime starts (to 7.4, Eden later): how many capabilities it has.
postStartup :: Writer -> Cap -> Word16 -> IO Result
postStartup w blockCap nCaps =
  withEvent #{size struct ghc_startup} $ \e ->
    putNumber e #{offset struct ghc_startup, n_caps} nCaps $
    c_post_startup w blockCap e

foreign import ccall safe "eventlog_post_startup"
  c_post_startup :: Writer -> Cap -> Ptr () -> IO Result

-- | A message of the program: the message.
postUserMsg :: Writer -> Cap -> ByteString -> IO Result
postUserMsg w blockCap message =
  withEvent #{size struct ghc_user_msg} $ \e ->
    putText e #{offset struct ghc_user_msg, message} message $
    c_post_user_msg w blockCap e

foreign import ccall safe "eventlog_post_user_msg"
  c_post_user_msg :: Writer -> Cap -> Ptr () -> IO Result

-- | The collecting thread found no work and waits for others.
postGcIdle :: Writer -> Cap -> IO Result
postGcIdle w blockCap =
  withEvent #{size struct ghc_gc_idle} $ \e ->
    c_post_gc_idle w blockCap e

foreign import ccall safe "eventlog_post_gc_idle"
  c_post_gc_idle :: Writer -> Cap -> Ptr () -> IO Result

-- | The collecting thread starts or resumes work.
postGcWork :: Writer -> Cap -> IO Result
postGcWork w blockCap =
  withEvent #{size struct ghc_gc_work} $ \e ->
    c_post_gc_work w blockCap e

foreign import ccall safe "eventlog_post_gc_work"
  c_post_gc_work :: Writer -> Cap -> Ptr () -> IO Result

-- | No collecting thread has work: a phase is over.
postGcDone :: Writer -> Cap -> IO Result
postGcDone w blockCap =
  withEvent #{size struct ghc_gc_done} $ \e ->
    c_post_gc_done w blockCap e

foreign import ccall safe "eventlog_post_gc_done"
  c_post_gc_done :: Writer -> Cap -> Ptr () -> IO Result

-- | Version of the compiler: its version.
postVersion :: Writer -> Cap -> ByteString -> IO Result
postVersion w blockCap version =
  withEvent #{size struct ghc_version} $ \e ->
    putText e #{offset struct ghc_version, version} version $
    c_post_version w blockCap e

foreign import ccall safe "eventlog_post_version"
  c_post_version :: Writer -> Cap -> Ptr () -> IO Result

-- | How the program was called: its command line.
postProgramInvocation :: Writer -> Cap -> ByteString -> IO Result
postProgramInvocation w blockCap commandLine =
  withEvent #{size struct ghc_program_invocation} $ \e ->
    putText e #{offset struct ghc_program_invocation, command_line} commandLine $
    c_post_program_invocation w blockCap e

foreign import ccall safe "eventlog_post_program_invocation"
  c_post_program_invocation :: Writer -> Cap -> Ptr () -> IO Result

-- | A set of capabilities was created: the set; common property of its members.
postCapsetCreate :: Writer -> Cap -> Word32 -> Word16 -> IO Result
postCapsetCreate w blockCap capset capsetType =
  withEvent #{size struct ghc_capset_create} $ \e ->
    putNumber e #{offset struct ghc_capset_create, capset} capset $
    putNumber e #{offset struct ghc_capset_create, capset_type} capsetType $
    c_post_capset_create w blockCap e

foreign import ccall safe "eventlog_post_capset_create"
  c_post_capset_create :: Writer -> Cap -> Ptr () -> IO Result

-- | A set of capabilities was removed: the set.
postCapsetDelete :: Writer -> Cap -> Word32 -> IO Result
postCapsetDelete w blockCap capset =
  withEvent #{size struct ghc_capset_delete} $ \e ->
    putNumber e #{offset struct ghc_capset_delete, capset} capset $
    c_post_capset_delete w blockCap e

foreign import ccall safe "eventlog_post_capset_delete"
  c_post_capset_delete :: Writer -> Cap -> Ptr () -> IO Result

-- | A capability joins a set: the set; the capability.
postCapsetAssignCap :: Writer -> Cap -> Word32 -> Word16 -> IO Result
postCapsetAssignCap w blockCap capset cap =
  withEvent #{size struct ghc_capset_assign_cap} $ \e ->
    putNumber e #{offset struct ghc_capset_assign_cap, capset} capset $
    putNumber e #{offset struct ghc_capset_assign_cap, cap} cap $
    c_post_capset_assign_cap w blockCap e

foreign import ccall safe "eventlog_post_capset_assign_cap"
  c_post_capset_assign_cap :: Writer -> Cap -> Ptr () -> IO Result

-- | A capability leaves a set: the set; the capability.
postCapsetRemoveCap :: Writer -> Cap -> Word32 -> Word16 -> IO Result
postCapsetRemoveCap w blockCap capset cap =
  withEvent #{size struct ghc_capset_remove_cap} $ \e ->
    putNumber e #{offset struct ghc_capset_remove_cap, capset} capset $
    putNumber e #{offset struct ghc_capset_remove_cap, cap} cap $
    c_post_capset_remove_cap w blockCap e

foreign import ccall safe "eventlog_post_capset_remove_cap"
  c_post_capset_remove_cap :: Writer -> Cap -> Ptr () -> IO Result

-- | Version of the runtime: capability set; its name and version.
postRtsIdentifier :: Writer -> Cap -> Word32 -> ByteString -> IO Result
postRtsIdentifier w blockCap capset identifier =
  withEvent #{size struct ghc_rts_identifier} $ \e ->
    putNumber e #{offset struct ghc_rts_identifier, capset} capset $
    putText e #{offset struct ghc_rts_identifier, identifier} identifier $
    c_post_rts_identifier w blockCap e

foreign import ccall safe "eventlog_post_rts_identifier"
  c_post_rts_identifier :: Writer -> Cap -> Ptr () -> IO Result

-- | Name and arguments of the program: capability set; the words of its command line.
postProgramArgs :: Writer -> Cap -> Word32 -> [ByteString] -> IO Result
postProgramArgs w blockCap capset arguments =
  withEvent #{size struct ghc_program_args} $ \e ->
    putNumber e #{offset struct ghc_program_args, capset} capset $
    putTexts e #{offset struct ghc_program_args, arguments} arguments $
    c_post_program_args w blockCap e

foreign import ccall safe "eventlog_post_program_args"
  c_post_program_args :: Writer -> Cap -> Ptr () -> IO Result

-- | Environment of the program (to 8.6): capability set; NAME=VALUE.
postProgramEnv :: Writer -> Cap -> Word32 -> [ByteString] -> IO Result
postProgramEnv w blockCap capset variables =
  withEvent #{size struct ghc_program_env} $ \e ->
    putNumber e #{offset struct ghc_program_env, capset} capset $
    putTexts e #{offset struct ghc_program_env, variables} variables $
    c_post_program_env w blockCap e

foreign import ccall safe "eventlog_post_program_env"
  c_post_program_env :: Writer -> Cap -> Ptr () -> IO Result

-- | The process: capability set; its id.
postOsprocessPid :: Writer -> Cap -> Word32 -> Word32 -> IO Result
postOsprocessPid w blockCap capset pid =
  withEvent #{size struct ghc_osprocess_pid} $ \e ->
    putNumber e #{offset struct ghc_osprocess_pid, capset} capset $
    putNumber e #{offset struct ghc_osprocess_pid, pid} pid $
    c_post_osprocess_pid w blockCap e

foreign import ccall safe "eventlog_post_osprocess_pid"
  c_post_osprocess_pid :: Writer -> Cap -> Ptr () -> IO Result

-- | The parent process: capability set; its id.
postOsprocessPpid :: Writer -> Cap -> Word32 -> Word32 -> IO Result
postOsprocessPpid w blockCap capset ppid =
  withEvent #{size struct ghc_osprocess_ppid} $ \e ->
    putNumber e #{offset struct ghc_osprocess_ppid, capset} capset $
    putNumber e #{offset struct ghc_osprocess_ppid, ppid} ppid $
    c_post_osprocess_ppid w blockCap e

foreign import ccall safe "eventlog_post_osprocess_ppid"
  c_post_osprocess_ppid :: Writer -> Cap -> Ptr () -> IO Result

-- | The counts of sparks so far: put into the pool; evaluated before; dropped: the pool was full; run; dropped by the collector; evaluated when their turn came; still in the pool.
postSparkCounters :: Writer -> Cap -> Word64 -> Word64 -> Word64 -> Word64 -> Word64 -> Word64 -> Word64 -> IO Result
postSparkCounters w blockCap created dud overflowed converted gcd_ fizzled remaining =
  withEvent #{size struct ghc_spark_counters} $ \e ->
    putNumber e #{offset struct ghc_spark_counters, created} created $
    putNumber e #{offset struct ghc_spark_counters, dud} dud $
    putNumber e #{offset struct ghc_spark_counters, overflowed} overflowed $
    putNumber e #{offset struct ghc_spark_counters, converted} converted $
    putNumber e #{offset struct ghc_spark_counters, gcd} gcd_ $
    putNumber e #{offset struct ghc_spark_counters, fizzled} fizzled $
    putNumber e #{offset struct ghc_spark_counters, remaining} remaining $
    c_post_spark_counters w blockCap e

foreign import ccall safe "eventlog_post_spark_counters"
  c_post_spark_counters :: Writer -> Cap -> Ptr () -> IO Result

-- | A spark is put into the pool.
postSparkCreate :: Writer -> Cap -> IO Result
postSparkCreate w blockCap =
  withEvent #{size struct ghc_spark_create} $ \e ->
    c_post_spark_create w blockCap e

foreign import ccall safe "eventlog_post_spark_create"
  c_post_spark_create :: Writer -> Cap -> Ptr () -> IO Result

-- | A spark was evaluated before.
postSparkDud :: Writer -> Cap -> IO Result
postSparkDud w blockCap =
  withEvent #{size struct ghc_spark_dud} $ \e ->
    c_post_spark_dud w blockCap e

foreign import ccall safe "eventlog_post_spark_dud"
  c_post_spark_dud :: Writer -> Cap -> Ptr () -> IO Result

-- | A spark is dropped: the pool is full.
postSparkOverflow :: Writer -> Cap -> IO Result
postSparkOverflow w blockCap =
  withEvent #{size struct ghc_spark_overflow} $ \e ->
    c_post_spark_overflow w blockCap e

foreign import ccall safe "eventlog_post_spark_overflow"
  c_post_spark_overflow :: Writer -> Cap -> Ptr () -> IO Result

-- | A spark of this capability runs.
postSparkRun :: Writer -> Cap -> IO Result
postSparkRun w blockCap =
  withEvent #{size struct ghc_spark_run} $ \e ->
    c_post_spark_run w blockCap e

foreign import ccall safe "eventlog_post_spark_run"
  c_post_spark_run :: Writer -> Cap -> Ptr () -> IO Result

-- | A spark of another capability runs: previous capability.
postSparkSteal :: Writer -> Cap -> Word16 -> IO Result
postSparkSteal w blockCap victimCap =
  withEvent #{size struct ghc_spark_steal} $ \e ->
    putNumber e #{offset struct ghc_spark_steal, victim_cap} victimCap $
    c_post_spark_steal w blockCap e

foreign import ccall safe "eventlog_post_spark_steal"
  c_post_spark_steal :: Writer -> Cap -> Ptr () -> IO Result

-- | A spark was evaluated when its turn came.
postSparkFizzle :: Writer -> Cap -> IO Result
postSparkFizzle w blockCap =
  withEvent #{size struct ghc_spark_fizzle} $ \e ->
    c_post_spark_fizzle w blockCap e

foreign import ccall safe "eventlog_post_spark_fizzle"
  c_post_spark_fizzle :: Writer -> Cap -> Ptr () -> IO Result

-- | The collector drops a spark.
postSparkGc :: Writer -> Cap -> IO Result
postSparkGc w blockCap =
  withEvent #{size struct ghc_spark_gc} $ \e ->
    c_post_spark_gc w blockCap e

foreign import ccall safe "eventlog_post_spark_gc"
  c_post_spark_gc :: Writer -> Cap -> Ptr () -> IO Result

-- | A text gets a number: the text; its number.
postInternString :: Writer -> Cap -> ByteString -> Word32 -> IO Result
postInternString w blockCap text string =
  withEvent #{size struct ghc_intern_string} $ \e ->
    putText e #{offset struct ghc_intern_string, text} text $
    putNumber e #{offset struct ghc_intern_string, string} string $
    c_post_intern_string w blockCap e

foreign import ccall safe "eventlog_post_intern_string"
  c_post_intern_string :: Writer -> Cap -> Ptr () -> IO Result

-- | The time: capability set of the clock; seconds since 1970 ...; ... and what is more.
postWallClockTime :: Writer -> Cap -> Word32 -> Word64 -> Word32 -> IO Result
postWallClockTime w blockCap capset seconds nanoseconds =
  withEvent #{size struct ghc_wall_clock_time} $ \e ->
    putNumber e #{offset struct ghc_wall_clock_time, capset} capset $
    putNumber e #{offset struct ghc_wall_clock_time, seconds} seconds $
    putNumber e #{offset struct ghc_wall_clock_time, nanoseconds} nanoseconds $
    c_post_wall_clock_time w blockCap e

foreign import ccall safe "eventlog_post_wall_clock_time"
  c_post_wall_clock_time :: Writer -> Cap -> Ptr () -> IO Result

-- | A thread gets a name: the thread; its name.
postThreadLabel :: Writer -> Cap -> Word32 -> ByteString -> IO Result
postThreadLabel w blockCap thread label =
  withEvent #{size struct ghc_thread_label} $ \e ->
    putNumber e #{offset struct ghc_thread_label, thread} thread $
    putText e #{offset struct ghc_thread_label, label} label $
    c_post_thread_label w blockCap e

foreign import ccall safe "eventlog_post_thread_label"
  c_post_thread_label :: Writer -> Cap -> Ptr () -> IO Result

-- | A capability was created: the capability.
postCapCreate :: Writer -> Cap -> Word16 -> IO Result
postCapCreate w blockCap cap =
  withEvent #{size struct ghc_cap_create} $ \e ->
    putNumber e #{offset struct ghc_cap_create, cap} cap $
    c_post_cap_create w blockCap e

foreign import ccall safe "eventlog_post_cap_create"
  c_post_cap_create :: Writer -> Cap -> Ptr () -> IO Result

-- | A capability was removed: the capability.
postCapDelete :: Writer -> Cap -> Word16 -> IO Result
postCapDelete w blockCap cap =
  withEvent #{size struct ghc_cap_delete} $ \e ->
    putNumber e #{offset struct ghc_cap_delete, cap} cap $
    c_post_cap_delete w blockCap e

foreign import ccall safe "eventlog_post_cap_delete"
  c_post_cap_delete :: Writer -> Cap -> Ptr () -> IO Result

-- | A capability is not used from here: the capability.
postCapDisable :: Writer -> Cap -> Word16 -> IO Result
postCapDisable w blockCap cap =
  withEvent #{size struct ghc_cap_disable} $ \e ->
    putNumber e #{offset struct ghc_cap_disable, cap} cap $
    c_post_cap_disable w blockCap e

foreign import ccall safe "eventlog_post_cap_disable"
  c_post_cap_disable :: Writer -> Cap -> Ptr () -> IO Result

-- | A capability is used again: the capability.
postCapEnable :: Writer -> Cap -> Word16 -> IO Result
postCapEnable w blockCap cap =
  withEvent #{size struct ghc_cap_enable} $ \e ->
    putNumber e #{offset struct ghc_cap_enable, cap} cap $
    c_post_cap_enable w blockCap e

foreign import ccall safe "eventlog_post_cap_enable"
  c_post_cap_enable :: Writer -> Cap -> Ptr () -> IO Result

-- | Allocation of this capability so far: capability set of the heap; since the start.
postHeapAllocated :: Writer -> Cap -> Word32 -> Word64 -> IO Result
postHeapAllocated w blockCap heapCapset bytes =
  withEvent #{size struct ghc_heap_allocated} $ \e ->
    putNumber e #{offset struct ghc_heap_allocated, heap_capset} heapCapset $
    putNumber e #{offset struct ghc_heap_allocated, bytes} bytes $
    c_post_heap_allocated w blockCap e

foreign import ccall safe "eventlog_post_heap_allocated"
  c_post_heap_allocated :: Writer -> Cap -> Ptr () -> IO Result

-- | Memory of the heap: capability set of the heap; that the system gave.
postHeapSize :: Writer -> Cap -> Word32 -> Word64 -> IO Result
postHeapSize w blockCap heapCapset bytes =
  withEvent #{size struct ghc_heap_size} $ \e ->
    putNumber e #{offset struct ghc_heap_size, heap_capset} heapCapset $
    putNumber e #{offset struct ghc_heap_size, bytes} bytes $
    c_post_heap_size w blockCap e

foreign import ccall safe "eventlog_post_heap_size"
  c_post_heap_size :: Writer -> Cap -> Ptr () -> IO Result

-- | Live bytes after a major collection: capability set of the heap; in live objects.
postHeapLive :: Writer -> Cap -> Word32 -> Word64 -> IO Result
postHeapLive w blockCap heapCapset bytes =
  withEvent #{size struct ghc_heap_live} $ \e ->
    putNumber e #{offset struct ghc_heap_live, heap_capset} heapCapset $
    putNumber e #{offset struct ghc_heap_live, bytes} bytes $
    c_post_heap_live w blockCap e

foreign import ccall safe "eventlog_post_heap_live"
  c_post_heap_live :: Writer -> Cap -> Ptr () -> IO Result

-- | How the heap is set up: capability set of the heap; how many; its limit; 0: none; for new objects; unit in which the system is asked; unit of the allocator.
postHeapInfoGhc :: Writer -> Cap -> Word32 -> Word16 -> Word64 -> Word64 -> Word64 -> Word64 -> IO Result
postHeapInfoGhc w blockCap heapCapset generations maxHeapSize allocAreaSize mblockSize blockSize =
  withEvent #{size struct ghc_heap_info_ghc} $ \e ->
    putNumber e #{offset struct ghc_heap_info_ghc, heap_capset} heapCapset $
    putNumber e #{offset struct ghc_heap_info_ghc, generations} generations $
    putNumber e #{offset struct ghc_heap_info_ghc, max_heap_size} maxHeapSize $
    putNumber e #{offset struct ghc_heap_info_ghc, alloc_area_size} allocAreaSize $
    putNumber e #{offset struct ghc_heap_info_ghc, mblock_size} mblockSize $
    putNumber e #{offset struct ghc_heap_info_ghc, block_size} blockSize $
    c_post_heap_info_ghc w blockCap e

foreign import ccall safe "eventlog_post_heap_info_ghc"
  c_post_heap_info_ghc :: Writer -> Cap -> Ptr () -> IO Result

-- | Figures of a collection: capability set of the heap; the oldest that was collected; copied; lost at ends of blocks; may run below 0; lost between blocks; threads that collected; copied by the one that copied most; copied by all; copied as if all had done the same (from 8.4).
postGcStatsGhc :: Writer -> Cap -> Word32 -> Word16 -> Word64 -> Word64 -> Word64 -> Word32 -> Word64 -> Word64 -> Word64 -> IO Result
postGcStatsGhc w blockCap heapCapset generation copied slop fragmentation parNThreads parMaxCopied parTotCopied parBalancedCopied =
  withEvent #{size struct ghc_gc_stats_ghc} $ \e ->
    putNumber e #{offset struct ghc_gc_stats_ghc, heap_capset} heapCapset $
    putNumber e #{offset struct ghc_gc_stats_ghc, generation} generation $
    putNumber e #{offset struct ghc_gc_stats_ghc, copied} copied $
    putNumber e #{offset struct ghc_gc_stats_ghc, slop} slop $
    putNumber e #{offset struct ghc_gc_stats_ghc, fragmentation} fragmentation $
    putNumber e #{offset struct ghc_gc_stats_ghc, par_n_threads} parNThreads $
    putNumber e #{offset struct ghc_gc_stats_ghc, par_max_copied} parMaxCopied $
    putNumber e #{offset struct ghc_gc_stats_ghc, par_tot_copied} parTotCopied $
    putNumber e #{offset struct ghc_gc_stats_ghc, par_balanced_copied} parBalancedCopied $
    c_post_gc_stats_ghc w blockCap e

foreign import ccall safe "eventlog_post_gc_stats_ghc"
  c_post_gc_stats_ghc :: Writer -> Cap -> Ptr () -> IO Result

-- | All capabilities stand still.
postGcGlobalSync :: Writer -> Cap -> IO Result
postGcGlobalSync w blockCap =
  withEvent #{size struct ghc_gc_global_sync} $ \e ->
    c_post_gc_global_sync w blockCap e

foreign import ccall safe "eventlog_post_gc_global_sync"
  c_post_gc_global_sync :: Writer -> Cap -> Ptr () -> IO Result

-- | A thread of the system joins the runtime: the task; for which capability; the system's thread id.
postTaskCreate :: Writer -> Cap -> Word64 -> Word16 -> Word64 -> IO Result
postTaskCreate w blockCap task cap osThread =
  withEvent #{size struct ghc_task_create} $ \e ->
    putNumber e #{offset struct ghc_task_create, task} task $
    putNumber e #{offset struct ghc_task_create, cap} cap $
    putNumber e #{offset struct ghc_task_create, os_thread} osThread $
    c_post_task_create w blockCap e

foreign import ccall safe "eventlog_post_task_create"
  c_post_task_create :: Writer -> Cap -> Ptr () -> IO Result

-- | A task moves to another capability: the task; previous capability; new capability.
postTaskMigrate :: Writer -> Cap -> Word64 -> Word16 -> Word16 -> IO Result
postTaskMigrate w blockCap task cap newCap =
  withEvent #{size struct ghc_task_migrate} $ \e ->
    putNumber e #{offset struct ghc_task_migrate, task} task $
    putNumber e #{offset struct ghc_task_migrate, cap} cap $
    putNumber e #{offset struct ghc_task_migrate, new_cap} newCap $
    c_post_task_migrate w blockCap e

foreign import ccall safe "eventlog_post_task_migrate"
  c_post_task_migrate :: Writer -> Cap -> Ptr () -> IO Result

-- | A task ended: the task.
postTaskDelete :: Writer -> Cap -> Word64 -> IO Result
postTaskDelete w blockCap task =
  withEvent #{size struct ghc_task_delete} $ \e ->
    putNumber e #{offset struct ghc_task_delete, task} task $
    c_post_task_delete w blockCap e

foreign import ccall safe "eventlog_post_task_delete"
  c_post_task_delete :: Writer -> Cap -> Ptr () -> IO Result

-- | A mark of the program: its name.
postUserMarker :: Writer -> Cap -> ByteString -> IO Result
postUserMarker w blockCap marker =
  withEvent #{size struct ghc_user_marker} $ \e ->
    putText e #{offset struct ghc_user_marker, marker} marker $
    c_post_user_marker w blockCap e

foreign import ccall safe "eventlog_post_user_marker"
  c_post_user_marker :: Writer -> Cap -> Ptr () -> IO Result

-- | Never written: declared to show that the writer is 7.8.3 or later.
postHackBugT9003 :: Writer -> Cap -> IO Result
postHackBugT9003 w blockCap =
  withEvent #{size struct ghc_hack_bug_t9003} $ \e ->
    c_post_hack_bug_t9003 w blockCap e

foreign import ccall safe "eventlog_post_hack_bug_t9003"
  c_post_hack_bug_t9003 :: Writer -> Cap -> Ptr () -> IO Result

-- | The machine begins to receive.
postEdenStartReceive :: Writer -> Cap -> IO Result
postEdenStartReceive w blockCap =
  withEvent #{size struct ghc_eden_start_receive} $ \e ->
    c_post_eden_start_receive w blockCap e

foreign import ccall safe "eventlog_post_eden_start_receive"
  c_post_eden_start_receive :: Writer -> Cap -> Ptr () -> IO Result

-- | The machine ends receiving.
postEdenEndReceive :: Writer -> Cap -> IO Result
postEdenEndReceive w blockCap =
  withEvent #{size struct ghc_eden_end_receive} $ \e ->
    c_post_eden_end_receive w blockCap e

foreign import ccall safe "eventlog_post_eden_end_receive"
  c_post_eden_end_receive :: Writer -> Cap -> Ptr () -> IO Result

-- | A process was created: the process.
postCreateProcess :: Writer -> Cap -> Word32 -> IO Result
postCreateProcess w blockCap process =
  withEvent #{size struct ghc_create_process} $ \e ->
    putNumber e #{offset struct ghc_create_process, process} process $
    c_post_create_process w blockCap e

foreign import ccall safe "eventlog_post_create_process"
  c_post_create_process :: Writer -> Cap -> Ptr () -> IO Result

-- | A process ended: the process.
postKillProcess :: Writer -> Cap -> Word32 -> IO Result
postKillProcess w blockCap process =
  withEvent #{size struct ghc_kill_process} $ \e ->
    putNumber e #{offset struct ghc_kill_process, process} process $
    c_post_kill_process w blockCap e

foreign import ccall safe "eventlog_post_kill_process"
  c_post_kill_process :: Writer -> Cap -> Ptr () -> IO Result

-- | A thread has a process: the thread; its process.
postAssignThreadToProcess :: Writer -> Cap -> Word32 -> Word32 -> IO Result
postAssignThreadToProcess w blockCap thread process =
  withEvent #{size struct ghc_assign_thread_to_process} $ \e ->
    putNumber e #{offset struct ghc_assign_thread_to_process, thread} thread $
    putNumber e #{offset struct ghc_assign_thread_to_process, process} process $
    c_post_assign_thread_to_process w blockCap e

foreign import ccall safe "eventlog_post_assign_thread_to_process"
  c_post_assign_thread_to_process :: Writer -> Cap -> Ptr () -> IO Result

-- | A machine joins: the machine; time of its start, in units of 10 ns.
postCreateMachine :: Writer -> Cap -> Word16 -> Word64 -> IO Result
postCreateMachine w blockCap machine start =
  withEvent #{size struct ghc_create_machine} $ \e ->
    putNumber e #{offset struct ghc_create_machine, machine} machine $
    putNumber e #{offset struct ghc_create_machine, start} start $
    c_post_create_machine w blockCap e

foreign import ccall safe "eventlog_post_create_machine"
  c_post_create_machine :: Writer -> Cap -> Ptr () -> IO Result

-- | A machine leaves: the machine.
postKillMachine :: Writer -> Cap -> Word16 -> IO Result
postKillMachine w blockCap machine =
  withEvent #{size struct ghc_kill_machine} $ \e ->
    putNumber e #{offset struct ghc_kill_machine, machine} machine $
    c_post_kill_machine w blockCap e

foreign import ccall safe "eventlog_post_kill_machine"
  c_post_kill_machine :: Writer -> Cap -> Ptr () -> IO Result

-- | A message is sent: kind of the message; from which process; and thread; to which machine; and process; and inport.
postSendMessage :: Writer -> Cap -> Word8 -> Word32 -> Word32 -> Word16 -> Word32 -> Word32 -> IO Result
postSendMessage w blockCap messageTag senderProcess senderThread receiverMachine receiverProcess receiverInport =
  withEvent #{size struct ghc_send_message} $ \e ->
    putNumber e #{offset struct ghc_send_message, message_tag} messageTag $
    putNumber e #{offset struct ghc_send_message, sender_process} senderProcess $
    putNumber e #{offset struct ghc_send_message, sender_thread} senderThread $
    putNumber e #{offset struct ghc_send_message, receiver_machine} receiverMachine $
    putNumber e #{offset struct ghc_send_message, receiver_process} receiverProcess $
    putNumber e #{offset struct ghc_send_message, receiver_inport} receiverInport $
    c_post_send_message w blockCap e

foreign import ccall safe "eventlog_post_send_message"
  c_post_send_message :: Writer -> Cap -> Ptr () -> IO Result

-- | A message comes: kind of the message; to which process; and inport; from which machine; and process; and thread; how long it is.
postReceiveMessage :: Writer -> Cap -> Word8 -> Word32 -> Word32 -> Word16 -> Word32 -> Word32 -> Word32 -> IO Result
postReceiveMessage w blockCap messageTag receiverProcess receiverInport senderMachine senderProcess senderThread size =
  withEvent #{size struct ghc_receive_message} $ \e ->
    putNumber e #{offset struct ghc_receive_message, message_tag} messageTag $
    putNumber e #{offset struct ghc_receive_message, receiver_process} receiverProcess $
    putNumber e #{offset struct ghc_receive_message, receiver_inport} receiverInport $
    putNumber e #{offset struct ghc_receive_message, sender_machine} senderMachine $
    putNumber e #{offset struct ghc_receive_message, sender_process} senderProcess $
    putNumber e #{offset struct ghc_receive_message, sender_thread} senderThread $
    putNumber e #{offset struct ghc_receive_message, size} size $
    c_post_receive_message w blockCap e

foreign import ccall safe "eventlog_post_receive_message"
  c_post_receive_message :: Writer -> Cap -> Ptr () -> IO Result

-- | A message within the machine: kind of the message; from which process; and thread; to which process; and inport.
postSendReceiveLocalMessage :: Writer -> Cap -> Word8 -> Word32 -> Word32 -> Word32 -> Word32 -> IO Result
postSendReceiveLocalMessage w blockCap messageTag senderProcess senderThread receiverProcess receiverInport =
  withEvent #{size struct ghc_send_receive_local_message} $ \e ->
    putNumber e #{offset struct ghc_send_receive_local_message, message_tag} messageTag $
    putNumber e #{offset struct ghc_send_receive_local_message, sender_process} senderProcess $
    putNumber e #{offset struct ghc_send_receive_local_message, sender_thread} senderThread $
    putNumber e #{offset struct ghc_send_receive_local_message, receiver_process} receiverProcess $
    putNumber e #{offset struct ghc_send_receive_local_message, receiver_inport} receiverInport $
    c_post_send_receive_local_message w blockCap e

foreign import ccall safe "eventlog_post_send_receive_local_message"
  c_post_send_receive_local_message :: Writer -> Cap -> Ptr () -> IO Result

-- | Memory is returned to the system: capability set of the heap; megablocks that it has; that it needs; that it returns.
postMemReturn :: Writer -> Cap -> Word32 -> Word32 -> Word32 -> Word32 -> IO Result
postMemReturn w blockCap heapCapset currentMblocks neededMblocks returnedMblocks =
  withEvent #{size struct ghc_mem_return} $ \e ->
    putNumber e #{offset struct ghc_mem_return, heap_capset} heapCapset $
    putNumber e #{offset struct ghc_mem_return, current_mblocks} currentMblocks $
    putNumber e #{offset struct ghc_mem_return, needed_mblocks} neededMblocks $
    putNumber e #{offset struct ghc_mem_return, returned_mblocks} returnedMblocks $
    c_post_mem_return w blockCap e

foreign import ccall safe "eventlog_post_mem_return"
  c_post_mem_return :: Writer -> Cap -> Ptr () -> IO Result

-- | Blocks of the heap: capability set of the heap; in blocks that are in use.
postBlocksSize :: Writer -> Cap -> Word32 -> Word64 -> IO Result
postBlocksSize w blockCap heapCapset bytes =
  withEvent #{size struct ghc_blocks_size} $ \e ->
    putNumber e #{offset struct ghc_blocks_size, heap_capset} heapCapset $
    putNumber e #{offset struct ghc_blocks_size, bytes} bytes $
    c_post_blocks_size w blockCap e

foreign import ccall safe "eventlog_post_blocks_size"
  c_post_blocks_size :: Writer -> Cap -> Ptr () -> IO Result

-- | A parallel conjunction begins: which, of those that ran; which, in the program: a text.
postMerStartParConjunction :: Writer -> Cap -> Word64 -> Word32 -> IO Result
postMerStartParConjunction w blockCap dynamic string =
  withEvent #{size struct ghc_mer_start_par_conjunction} $ \e ->
    putNumber e #{offset struct ghc_mer_start_par_conjunction, dynamic} dynamic $
    putNumber e #{offset struct ghc_mer_start_par_conjunction, string} string $
    c_post_mer_start_par_conjunction w blockCap e

foreign import ccall safe "eventlog_post_mer_start_par_conjunction"
  c_post_mer_start_par_conjunction :: Writer -> Cap -> Ptr () -> IO Result

-- | A parallel conjunction ends: the conjunction.
postMerStopParConjunction :: Writer -> Cap -> Word64 -> IO Result
postMerStopParConjunction w blockCap dynamic =
  withEvent #{size struct ghc_mer_stop_par_conjunction} $ \e ->
    putNumber e #{offset struct ghc_mer_stop_par_conjunction, dynamic} dynamic $
    c_post_mer_stop_par_conjunction w blockCap e

foreign import ccall safe "eventlog_post_mer_stop_par_conjunction"
  c_post_mer_stop_par_conjunction :: Writer -> Cap -> Ptr () -> IO Result

-- | A conjunct of a parallel conjunction ends: of which conjunction.
postMerStopParConjunct :: Writer -> Cap -> Word64 -> IO Result
postMerStopParConjunct w blockCap dynamic =
  withEvent #{size struct ghc_mer_stop_par_conjunct} $ \e ->
    putNumber e #{offset struct ghc_mer_stop_par_conjunct, dynamic} dynamic $
    c_post_mer_stop_par_conjunct w blockCap e

foreign import ccall safe "eventlog_post_mer_stop_par_conjunct"
  c_post_mer_stop_par_conjunct :: Writer -> Cap -> Ptr () -> IO Result

-- | A spark of a conjunct was created: of which conjunction; the spark.
postMerCreateSpark :: Writer -> Cap -> Word64 -> Word32 -> IO Result
postMerCreateSpark w blockCap dynamic spark =
  withEvent #{size struct ghc_mer_create_spark} $ \e ->
    putNumber e #{offset struct ghc_mer_create_spark, dynamic} dynamic $
    putNumber e #{offset struct ghc_mer_create_spark, spark} spark $
    c_post_mer_create_spark w blockCap e

foreign import ccall safe "eventlog_post_mer_create_spark"
  c_post_mer_create_spark :: Writer -> Cap -> Ptr () -> IO Result

-- | A future was created: the future; its name: a text.
postMerFutCreate :: Writer -> Cap -> Word64 -> Word32 -> IO Result
postMerFutCreate w blockCap future string =
  withEvent #{size struct ghc_mer_fut_create} $ \e ->
    putNumber e #{offset struct ghc_mer_fut_create, future} future $
    putNumber e #{offset struct ghc_mer_fut_create, string} string $
    c_post_mer_fut_create w blockCap e

foreign import ccall safe "eventlog_post_mer_fut_create"
  c_post_mer_fut_create :: Writer -> Cap -> Ptr () -> IO Result

-- | A future is waited for, and there: the future.
postMerFutWaitNosuspend :: Writer -> Cap -> Word64 -> IO Result
postMerFutWaitNosuspend w blockCap future =
  withEvent #{size struct ghc_mer_fut_wait_nosuspend} $ \e ->
    putNumber e #{offset struct ghc_mer_fut_wait_nosuspend, future} future $
    c_post_mer_fut_wait_nosuspend w blockCap e

foreign import ccall safe "eventlog_post_mer_fut_wait_nosuspend"
  c_post_mer_fut_wait_nosuspend :: Writer -> Cap -> Ptr () -> IO Result

-- | A future is waited for, and not there yet: the future.
postMerFutWaitSuspended :: Writer -> Cap -> Word64 -> IO Result
postMerFutWaitSuspended w blockCap future =
  withEvent #{size struct ghc_mer_fut_wait_suspended} $ \e ->
    putNumber e #{offset struct ghc_mer_fut_wait_suspended, future} future $
    c_post_mer_fut_wait_suspended w blockCap e

foreign import ccall safe "eventlog_post_mer_fut_wait_suspended"
  c_post_mer_fut_wait_suspended :: Writer -> Cap -> Ptr () -> IO Result

-- | A future is there: the future.
postMerFutSignal :: Writer -> Cap -> Word64 -> IO Result
postMerFutSignal w blockCap future =
  withEvent #{size struct ghc_mer_fut_signal} $ \e ->
    putNumber e #{offset struct ghc_mer_fut_signal, future} future $
    c_post_mer_fut_signal w blockCap e

foreign import ccall safe "eventlog_post_mer_fut_signal"
  c_post_mer_fut_signal :: Writer -> Cap -> Ptr () -> IO Result

-- | The engine looks for a context of all.
postMerLookingForGlobalContext :: Writer -> Cap -> IO Result
postMerLookingForGlobalContext w blockCap =
  withEvent #{size struct ghc_mer_looking_for_global_context} $ \e ->
    c_post_mer_looking_for_global_context w blockCap e

foreign import ccall safe "eventlog_post_mer_looking_for_global_context"
  c_post_mer_looking_for_global_context :: Writer -> Cap -> Ptr () -> IO Result

-- | The engine looks for others' work.
postMerWorkStealing :: Writer -> Cap -> IO Result
postMerWorkStealing w blockCap =
  withEvent #{size struct ghc_mer_work_stealing} $ \e ->
    c_post_mer_work_stealing w blockCap e

foreign import ccall safe "eventlog_post_mer_work_stealing"
  c_post_mer_work_stealing :: Writer -> Cap -> Ptr () -> IO Result

-- | A context is returned: the context.
postMerReleaseContext :: Writer -> Cap -> Word32 -> IO Result
postMerReleaseContext w blockCap thread =
  withEvent #{size struct ghc_mer_release_context} $ \e ->
    putNumber e #{offset struct ghc_mer_release_context, thread} thread $
    c_post_mer_release_context w blockCap e

foreign import ccall safe "eventlog_post_mer_release_context"
  c_post_mer_release_context :: Writer -> Cap -> Ptr () -> IO Result

-- | The engine sleeps.
postMerEngineSleeping :: Writer -> Cap -> IO Result
postMerEngineSleeping w blockCap =
  withEvent #{size struct ghc_mer_engine_sleeping} $ \e ->
    c_post_mer_engine_sleeping w blockCap e

foreign import ccall safe "eventlog_post_mer_engine_sleeping"
  c_post_mer_engine_sleeping :: Writer -> Cap -> Ptr () -> IO Result

-- | The engine looks for a spark of its own.
postMerLookingForLocalSpark :: Writer -> Cap -> IO Result
postMerLookingForLocalSpark w blockCap =
  withEvent #{size struct ghc_mer_looking_for_local_spark} $ \e ->
    c_post_mer_looking_for_local_spark w blockCap e

foreign import ccall safe "eventlog_post_mer_looking_for_local_spark"
  c_post_mer_looking_for_local_spark :: Writer -> Cap -> Ptr () -> IO Result

-- | The program begins.
postMerCallingMain :: Writer -> Cap -> IO Result
postMerCallingMain w blockCap =
  withEvent #{size struct ghc_mer_calling_main} $ \e ->
    c_post_mer_calling_main w blockCap e

foreign import ccall safe "eventlog_post_mer_calling_main"
  c_post_mer_calling_main :: Writer -> Cap -> Ptr () -> IO Result

-- | A counter or tracepoint of perf has a name: its number; its name.
postPerfName :: Writer -> Cap -> Word32 -> ByteString -> IO Result
postPerfName w blockCap number name =
  withEvent #{size struct ghc_perf_name} $ \e ->
    putNumber e #{offset struct ghc_perf_name, number} number $
    putText e #{offset struct ghc_perf_name, name} name $
    c_post_perf_name w blockCap e

foreign import ccall safe "eventlog_post_perf_name"
  c_post_perf_name :: Writer -> Cap -> Ptr () -> IO Result

-- | A counter of perf was sampled: the counter; the system's thread id; counted since the last sample.
postPerfCounter :: Writer -> Cap -> Word32 -> Word64 -> Word64 -> IO Result
postPerfCounter w blockCap number osThread period =
  withEvent #{size struct ghc_perf_counter} $ \e ->
    putNumber e #{offset struct ghc_perf_counter, number} number $
    putNumber e #{offset struct ghc_perf_counter, os_thread} osThread $
    putNumber e #{offset struct ghc_perf_counter, period} period $
    c_post_perf_counter w blockCap e

foreign import ccall safe "eventlog_post_perf_counter"
  c_post_perf_counter :: Writer -> Cap -> Ptr () -> IO Result

-- | A tracepoint of perf was hit: the tracepoint; the system's thread id.
postPerfTracepoint :: Writer -> Cap -> Word32 -> Word64 -> IO Result
postPerfTracepoint w blockCap number osThread =
  withEvent #{size struct ghc_perf_tracepoint} $ \e ->
    putNumber e #{offset struct ghc_perf_tracepoint, number} number $
    putNumber e #{offset struct ghc_perf_tracepoint, os_thread} osThread $
    c_post_perf_tracepoint w blockCap e

foreign import ccall safe "eventlog_post_perf_tracepoint"
  c_post_perf_tracepoint :: Writer -> Cap -> Ptr () -> IO Result

-- | A heap profile begins: its number; from sample to sample; criterion that divides the heap; only of these modules; these closures; these types; these cost centres; these stacks of cost centres; these retainers; these biographies.
postHeapProfBegin :: Writer -> Cap -> Word8 -> Word64 -> Word32 -> ByteString -> ByteString -> ByteString -> ByteString -> ByteString -> ByteString -> ByteString -> IO Result
postHeapProfBegin w blockCap profile period breakdown module_ closureDescription typeDescription costCentre costCentreStack retainer biography =
  withEvent #{size struct ghc_heap_prof_begin} $ \e ->
    putNumber e #{offset struct ghc_heap_prof_begin, profile} profile $
    putNumber e #{offset struct ghc_heap_prof_begin, period} period $
    putNumber e #{offset struct ghc_heap_prof_begin, breakdown} breakdown $
    putText e #{offset struct ghc_heap_prof_begin, module} module_ $
    putText e #{offset struct ghc_heap_prof_begin, closure_description} closureDescription $
    putText e #{offset struct ghc_heap_prof_begin, type_description} typeDescription $
    putText e #{offset struct ghc_heap_prof_begin, cost_centre} costCentre $
    putText e #{offset struct ghc_heap_prof_begin, cost_centre_stack} costCentreStack $
    putText e #{offset struct ghc_heap_prof_begin, retainer} retainer $
    putText e #{offset struct ghc_heap_prof_begin, biography} biography $
    c_post_heap_prof_begin w blockCap e

foreign import ccall safe "eventlog_post_heap_prof_begin"
  c_post_heap_prof_begin :: Writer -> Cap -> Ptr () -> IO Result

-- | A cost centre: its number; its name; the module; place in the source; 1: a constant (CAF).
postHeapProfCostCentre :: Writer -> Cap -> Word32 -> ByteString -> ByteString -> ByteString -> Word8 -> IO Result
postHeapProfCostCentre w blockCap costCentre label module_ location flags =
  withEvent #{size struct ghc_heap_prof_cost_centre} $ \e ->
    putNumber e #{offset struct ghc_heap_prof_cost_centre, cost_centre} costCentre $
    putText e #{offset struct ghc_heap_prof_cost_centre, label} label $
    putText e #{offset struct ghc_heap_prof_cost_centre, module} module_ $
    putText e #{offset struct ghc_heap_prof_cost_centre, location} location $
    putNumber e #{offset struct ghc_heap_prof_cost_centre, flags} flags $
    c_post_heap_prof_cost_centre w blockCap e

foreign import ccall safe "eventlog_post_heap_prof_cost_centre"
  c_post_heap_prof_cost_centre :: Writer -> Cap -> Ptr () -> IO Result

-- | A heap sample begins: its number.
postHeapProfSampleBegin :: Writer -> Cap -> Word64 -> IO Result
postHeapProfSampleBegin w blockCap era =
  withEvent #{size struct ghc_heap_prof_sample_begin} $ \e ->
    putNumber e #{offset struct ghc_heap_prof_sample_begin, era} era $
    c_post_heap_prof_sample_begin w blockCap e

foreign import ccall safe "eventlog_post_heap_prof_sample_begin"
  c_post_heap_prof_sample_begin :: Writer -> Cap -> Ptr () -> IO Result

-- | Memory of a stack of cost centres: in which profile; in live objects; innermost first.
postHeapProfSampleCostCentre :: Writer -> Cap -> Word8 -> Word64 -> [Word32] -> IO Result
postHeapProfSampleCostCentre w blockCap profile residency stack =
  withEvent #{size struct ghc_heap_prof_sample_cost_centre} $ \e ->
    putNumber e #{offset struct ghc_heap_prof_sample_cost_centre, profile} profile $
    putNumber e #{offset struct ghc_heap_prof_sample_cost_centre, residency} residency $
    putStack e #{offset struct ghc_heap_prof_sample_cost_centre, stack} stack $
    c_post_heap_prof_sample_cost_centre w blockCap e

foreign import ccall safe "eventlog_post_heap_prof_sample_cost_centre"
  c_post_heap_prof_sample_cost_centre :: Writer -> Cap -> Ptr () -> IO Result

-- | Memory of a part of the heap: in which profile; in live objects; the part's name.
postHeapProfSampleString :: Writer -> Cap -> Word8 -> Word64 -> ByteString -> IO Result
postHeapProfSampleString w blockCap profile residency label =
  withEvent #{size struct ghc_heap_prof_sample_string} $ \e ->
    putNumber e #{offset struct ghc_heap_prof_sample_string, profile} profile $
    putNumber e #{offset struct ghc_heap_prof_sample_string, residency} residency $
    putText e #{offset struct ghc_heap_prof_sample_string, label} label $
    c_post_heap_prof_sample_string w blockCap e

foreign import ccall safe "eventlog_post_heap_prof_sample_string"
  c_post_heap_prof_sample_string :: Writer -> Cap -> Ptr () -> IO Result

-- | A heap sample ends: its number.
postHeapProfSampleEnd :: Writer -> Cap -> Word64 -> IO Result
postHeapProfSampleEnd w blockCap era =
  withEvent #{size struct ghc_heap_prof_sample_end} $ \e ->
    putNumber e #{offset struct ghc_heap_prof_sample_end, era} era $
    c_post_heap_prof_sample_end w blockCap e

foreign import ccall safe "eventlog_post_heap_prof_sample_end"
  c_post_heap_prof_sample_end :: Writer -> Cap -> Ptr () -> IO Result

-- | A biographical heap sample begins: its number; time at which it was taken.
postHeapBioProfSampleBegin :: Writer -> Cap -> Word64 -> Word64 -> IO Result
postHeapBioProfSampleBegin w blockCap era sampledAt =
  withEvent #{size struct ghc_heap_bio_prof_sample_begin} $ \e ->
    putNumber e #{offset struct ghc_heap_bio_prof_sample_begin, era} era $
    putNumber e #{offset struct ghc_heap_bio_prof_sample_begin, sampled_at} sampledAt $
    c_post_heap_bio_prof_sample_begin w blockCap e

foreign import ccall safe "eventlog_post_heap_bio_prof_sample_begin"
  c_post_heap_bio_prof_sample_begin :: Writer -> Cap -> Ptr () -> IO Result

-- | Cost centres of a capability at a tick of the clock: the capability; number of the tick; innermost first.
postProfSampleCostCentre :: Writer -> Cap -> Word32 -> Word64 -> [Word32] -> IO Result
postProfSampleCostCentre w blockCap cap tick stack =
  withEvent #{size struct ghc_prof_sample_cost_centre} $ \e ->
    putNumber e #{offset struct ghc_prof_sample_cost_centre, cap} cap $
    putNumber e #{offset struct ghc_prof_sample_cost_centre, tick} tick $
    putStack e #{offset struct ghc_prof_sample_cost_centre, stack} stack $
    c_post_prof_sample_cost_centre w blockCap e

foreign import ccall safe "eventlog_post_prof_sample_cost_centre"
  c_post_prof_sample_cost_centre :: Writer -> Cap -> Ptr () -> IO Result

-- | A time profile begins: from tick to tick.
postProfBegin :: Writer -> Cap -> Word64 -> IO Result
postProfBegin w blockCap tickInterval =
  withEvent #{size struct ghc_prof_begin} $ \e ->
    putNumber e #{offset struct ghc_prof_begin, tick_interval} tickInterval $
    c_post_prof_begin w blockCap e

foreign import ccall safe "eventlog_post_prof_begin"
  c_post_prof_begin :: Writer -> Cap -> Ptr () -> IO Result

-- | Origin of an info table: the info table; its name; type of its closures, a number; type of the value; function or constructor in the source; the module; place in the source.
postIpe :: Writer -> Cap -> Word64 -> ByteString -> ByteString -> ByteString -> ByteString -> ByteString -> ByteString -> IO Result
postIpe w blockCap infoTable tableName closureDescription typeDescription label module_ location =
  withEvent #{size struct ghc_ipe} $ \e ->
    putNumber e #{offset struct ghc_ipe, info_table} infoTable $
    putText e #{offset struct ghc_ipe, table_name} tableName $
    putText e #{offset struct ghc_ipe, closure_description} closureDescription $
    putText e #{offset struct ghc_ipe, type_description} typeDescription $
    putText e #{offset struct ghc_ipe, label} label $
    putText e #{offset struct ghc_ipe, module} module_ $
    putText e #{offset struct ghc_ipe, location} location $
    c_post_ipe w blockCap e

foreign import ccall safe "eventlog_post_ipe"
  c_post_ipe :: Writer -> Cap -> Ptr () -> IO Result

-- | A message of bytes: the message.
postUserBinaryMsg :: Writer -> Cap -> ByteString -> IO Result
postUserBinaryMsg w blockCap bytes =
  withEvent #{size struct ghc_user_binary_msg} $ \e ->
    putText e #{offset struct ghc_user_binary_msg, bytes} bytes $
    c_post_user_binary_msg w blockCap e

foreign import ccall safe "eventlog_post_user_binary_msg"
  c_post_user_binary_msg :: Writer -> Cap -> Ptr () -> IO Result

-- | Concurrent marking begins.
postConcMarkBegin :: Writer -> Cap -> IO Result
postConcMarkBegin w blockCap =
  withEvent #{size struct ghc_conc_mark_begin} $ \e ->
    c_post_conc_mark_begin w blockCap e

foreign import ccall safe "eventlog_post_conc_mark_begin"
  c_post_conc_mark_begin :: Writer -> Cap -> Ptr () -> IO Result

-- | Concurrent marking ends: objects that were marked.
postConcMarkEnd :: Writer -> Cap -> Word32 -> IO Result
postConcMarkEnd w blockCap markedObjects =
  withEvent #{size struct ghc_conc_mark_end} $ \e ->
    putNumber e #{offset struct ghc_conc_mark_end, marked_objects} markedObjects $
    c_post_conc_mark_end w blockCap e

foreign import ccall safe "eventlog_post_conc_mark_end"
  c_post_conc_mark_end :: Writer -> Cap -> Ptr () -> IO Result

-- | All stop for the end of marking.
postConcSyncBegin :: Writer -> Cap -> IO Result
postConcSyncBegin w blockCap =
  withEvent #{size struct ghc_conc_sync_begin} $ \e ->
    c_post_conc_sync_begin w blockCap e

foreign import ccall safe "eventlog_post_conc_sync_begin"
  c_post_conc_sync_begin :: Writer -> Cap -> Ptr () -> IO Result

-- | All go on.
postConcSyncEnd :: Writer -> Cap -> IO Result
postConcSyncEnd w blockCap =
  withEvent #{size struct ghc_conc_sync_end} $ \e ->
    c_post_conc_sync_end w blockCap e

foreign import ccall safe "eventlog_post_conc_sync_end"
  c_post_conc_sync_end :: Writer -> Cap -> Ptr () -> IO Result

-- | Concurrent sweeping begins.
postConcSweepBegin :: Writer -> Cap -> IO Result
postConcSweepBegin w blockCap =
  withEvent #{size struct ghc_conc_sweep_begin} $ \e ->
    c_post_conc_sweep_begin w blockCap e

foreign import ccall safe "eventlog_post_conc_sweep_begin"
  c_post_conc_sweep_begin :: Writer -> Cap -> Ptr () -> IO Result

-- | Concurrent sweeping ends.
postConcSweepEnd :: Writer -> Cap -> IO Result
postConcSweepEnd w blockCap =
  withEvent #{size struct ghc_conc_sweep_end} $ \e ->
    c_post_conc_sweep_end w blockCap e

foreign import ccall safe "eventlog_post_conc_sweep_end"
  c_post_conc_sweep_end :: Writer -> Cap -> Ptr () -> IO Result

-- | A capability hands over what it remembered: the capability.
postConcUpdRemSetFlush :: Writer -> Cap -> Word16 -> IO Result
postConcUpdRemSetFlush w blockCap cap =
  withEvent #{size struct ghc_conc_upd_rem_set_flush} $ \e ->
    putNumber e #{offset struct ghc_conc_upd_rem_set_flush, cap} cap $
    c_post_conc_upd_rem_set_flush w blockCap e

foreign import ccall safe "eventlog_post_conc_upd_rem_set_flush"
  c_post_conc_upd_rem_set_flush :: Writer -> Cap -> Ptr () -> IO Result

-- | Blocks of one size in the non-moving heap: size: 2 to the power of this (to 9.8); size (from 9.10); segments with free blocks; segments without; blocks that are in use.
postNonmovingHeapCensus :: Writer -> Cap -> Word8 -> Word16 -> Word32 -> Word32 -> Word32 -> IO Result
postNonmovingHeapCensus w blockCap log2BlockSize blockSize activeSegments filledSegments liveBlocks =
  withEvent #{size struct ghc_nonmoving_heap_census} $ \e ->
    putNumber e #{offset struct ghc_nonmoving_heap_census, log2_block_size} log2BlockSize $
    putNumber e #{offset struct ghc_nonmoving_heap_census, block_size} blockSize $
    putNumber e #{offset struct ghc_nonmoving_heap_census, active_segments} activeSegments $
    putNumber e #{offset struct ghc_nonmoving_heap_census, filled_segments} filledSegments $
    putNumber e #{offset struct ghc_nonmoving_heap_census, live_blocks} liveBlocks $
    c_post_nonmoving_heap_census w blockCap e

foreign import ccall safe "eventlog_post_nonmoving_heap_census"
  c_post_nonmoving_heap_census :: Writer -> Cap -> Ptr () -> IO Result

-- | Free segments of the non-moving heap are returned: that were returned; that were retained.
postNonmovingPrunedSegments :: Writer -> Cap -> Word32 -> Word32 -> IO Result
postNonmovingPrunedSegments w blockCap pruned leftFree =
  withEvent #{size struct ghc_nonmoving_pruned_segments} $ \e ->
    putNumber e #{offset struct ghc_nonmoving_pruned_segments, pruned} pruned $
    putNumber e #{offset struct ghc_nonmoving_pruned_segments, left_free} leftFree $
    c_post_nonmoving_pruned_segments w blockCap e

foreign import ccall safe "eventlog_post_nonmoving_pruned_segments"
  c_post_nonmoving_pruned_segments :: Writer -> Cap -> Ptr () -> IO Result

-- | A ticky counter: its number; arguments of the function; their kinds, a letter each; the function; its info table (from 9.4); more about it (from 9.6).
postTickyCounterDef :: Writer -> Cap -> Word64 -> Word16 -> ByteString -> ByteString -> Word64 -> ByteString -> IO Result
postTickyCounterDef w blockCap counter arity argKinds name infoTable json =
  withEvent #{size struct ghc_ticky_counter_def} $ \e ->
    putNumber e #{offset struct ghc_ticky_counter_def, counter} counter $
    putNumber e #{offset struct ghc_ticky_counter_def, arity} arity $
    putText e #{offset struct ghc_ticky_counter_def, arg_kinds} argKinds $
    putText e #{offset struct ghc_ticky_counter_def, name} name $
    putNumber e #{offset struct ghc_ticky_counter_def, info_table} infoTable $
    putText e #{offset struct ghc_ticky_counter_def, json} json $
    c_post_ticky_counter_def w blockCap e

foreign import ccall safe "eventlog_post_ticky_counter_def"
  c_post_ticky_counter_def :: Writer -> Cap -> Ptr () -> IO Result

-- | Value of a ticky counter: the counter; calls of the function; that it allocated; closures of it that were created.
postTickyCounterSample :: Writer -> Cap -> Word64 -> Word64 -> Word64 -> Word64 -> IO Result
postTickyCounterSample w blockCap counter entries allocations allocated =
  withEvent #{size struct ghc_ticky_counter_sample} $ \e ->
    putNumber e #{offset struct ghc_ticky_counter_sample, counter} counter $
    putNumber e #{offset struct ghc_ticky_counter_sample, entries} entries $
    putNumber e #{offset struct ghc_ticky_counter_sample, allocations} allocations $
    putNumber e #{offset struct ghc_ticky_counter_sample, allocated} allocated $
    c_post_ticky_counter_sample w blockCap e

foreign import ccall safe "eventlog_post_ticky_counter_sample"
  c_post_ticky_counter_sample :: Writer -> Cap -> Ptr () -> IO Result

-- | A sample of ticky counters begins.
postTickyCounterBeginSample :: Writer -> Cap -> IO Result
postTickyCounterBeginSample w blockCap =
  withEvent #{size struct ghc_ticky_counter_begin_sample} $ \e ->
    c_post_ticky_counter_begin_sample w blockCap e

foreign import ccall safe "eventlog_post_ticky_counter_begin_sample"
  c_post_ticky_counter_begin_sample :: Writer -> Cap -> Ptr () -> IO Result
