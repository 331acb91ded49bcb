/* wait-kind.c -- the table of native code that waits. */
#include "config.h"

#include "decoder/mlpd/model/wait-kind.h"
#include <glib.h>
#include <string.h>

#define WRAPPER "(wrapper managed-to-native) "

/* A wrapper's class and method, as Mono names them; a class of "*" is any. */
static const struct rule {
  const char *class, *method;
  enum wait_kind kind;
} rules[] = {
  { "System.Threading.Monitor", "Enter", WAIT_LOCK },
  { "System.Threading.Monitor", "Monitor_wait", WAIT_EVENT },
  { "System.Threading.Monitor", "try_enter_with_atomic_var", WAIT_LOCK },
  { "object", "__icall_wrapper_mono_monitor_enter_internal", WAIT_LOCK },
  { "object", "__icall_wrapper_mono_monitor_enter_v4_internal", WAIT_LOCK },
  { "System.Threading.WaitHandle", "Wait_internal", WAIT_EVENT },
  { "System.Threading.WaitHandle", "SignalAndWait_Internal", WAIT_EVENT },
  { "System.Threading.Thread", "JoinInternal", WAIT_JOIN },
  { "System.Threading.Thread", "SleepInternal", WAIT_SLEEP },
  { "System.IO.MonoIO", "Read", WAIT_IO },
  { "System.IO.MonoIO", "Write", WAIT_IO },
  { "System.IO.MonoIO", "Flush", WAIT_IO },
  { "System.IO.MonoIO", "Lock", WAIT_IO },
  { "System.Net.Sockets.Socket", "Accept_internal", WAIT_IO },
  { "System.Net.Sockets.Socket", "Connect_internal", WAIT_IO },
  { "System.Net.Sockets.Socket", "Disconnect_internal", WAIT_IO },
  { "System.Net.Sockets.Socket", "Receive_internal", WAIT_IO },
  { "System.Net.Sockets.Socket", "ReceiveFrom_internal", WAIT_IO },
  { "System.Net.Sockets.Socket", "Send_internal", WAIT_IO },
  { "System.Net.Sockets.Socket", "SendTo_internal", WAIT_IO },
  { "System.Net.Sockets.Socket", "SendFile_internal", WAIT_IO },
  { "System.Net.Dns", "GetHostByName_internal", WAIT_IO },
  { "System.Net.Dns", "GetHostByAddr_internal", WAIT_IO },
  { "System.Net.Sockets.Socket", "Poll_internal", WAIT_POLL },
  { "System.Net.Sockets.Socket", "Select_internal", WAIT_POLL },
  /* Names of Mono 6.12. */
  { "System.Net.Sockets.Socket", "Accept_icall", WAIT_IO },
  { "System.Net.Sockets.Socket", "Connect_icall", WAIT_IO },
  { "System.Net.Sockets.Socket", "Disconnect_icall", WAIT_IO },
  { "System.Net.Sockets.Socket", "Receive_icall", WAIT_IO },
  { "System.Net.Sockets.Socket", "Receive_array_icall", WAIT_IO },
  { "System.Net.Sockets.Socket", "ReceiveFrom_icall", WAIT_IO },
  { "System.Net.Sockets.Socket", "Send_icall", WAIT_IO },
  { "System.Net.Sockets.Socket", "Send_array_icall", WAIT_IO },
  { "System.Net.Sockets.Socket", "SendTo_icall", WAIT_IO },
  { "System.Net.Sockets.Socket", "SendFile_icall", WAIT_IO },
  { "System.Net.Sockets.Socket", "Poll_icall", WAIT_POLL },
  { "System.Net.Sockets.Socket", "Select_icall", WAIT_POLL },
  { "System.Net.Dns", "GetHostByName_icall", WAIT_IO },
  { "System.Net.Dns", "GetHostByAddr_icall", WAIT_IO },
  { "Interop/Sys", "Read", WAIT_IO },
  { "Interop/Sys", "Write", WAIT_IO },
  { "Interop/Sys", "FSync", WAIT_IO },
  { "Interop/Sys", "Poll", WAIT_POLL },
  { "System.IOSelector", "Add", WAIT_POLL },
  { "System.GC", "WaitForPendingFinalizers", WAIT_GC },
  /* Functions of libc, in whatever class a program declares them, or by their own symbols. */
  { "*", "sleep", WAIT_SLEEP },
  { "*", "usleep", WAIT_SLEEP },
  { "*", "nanosleep", WAIT_SLEEP },
  { "*", "clock_nanosleep", WAIT_SLEEP },
  { "*", "poll", WAIT_POLL },
  { "*", "ppoll", WAIT_POLL },
  { "*", "select", WAIT_POLL },
  { "*", "pselect", WAIT_POLL },
  { "*", "epoll_wait", WAIT_POLL },
  { "*", "epoll_pwait", WAIT_POLL },
  { "*", "wait", WAIT_CHILD },
  { "*", "waitpid", WAIT_CHILD },
  { "*", "wait4", WAIT_CHILD },
  { "*", "waitid", WAIT_CHILD },
  { "*", "sem_wait", WAIT_EVENT },
  { "*", "sem_timedwait", WAIT_EVENT },
  { "*", "sem_clockwait", WAIT_EVENT },
  { "*", "pthread_mutex_lock", WAIT_LOCK },
  { "*", "pthread_cond_wait", WAIT_EVENT },
  { "*", "pthread_cond_timedwait", WAIT_EVENT },
  { "*", "pthread_join", WAIT_JOIN },
  { "*", "pthread_cond_clockwait", WAIT_EVENT },
  { "*", "futex_abstimed_wait_common", WAIT_EVENT },
  { "*", "futex_abstimed_wait_common64", WAIT_EVENT },
  { "*", "futex_abstimed_wait_cancelable64", WAIT_EVENT },
  { "*", "lll_lock_wait", WAIT_LOCK },
  { "*", "lll_lock_wait_private", WAIT_LOCK },
  { "*", "read", WAIT_IO },
  { "*", "pread", WAIT_IO },
  { "*", "readv", WAIT_IO },
  { "*", "write", WAIT_IO },
  { "*", "pwrite", WAIT_IO },
  { "*", "writev", WAIT_IO },
  { "*", "fsync", WAIT_IO },
  { "*", "fdatasync", WAIT_IO },
  { "*", "accept", WAIT_IO },
  { "*", "accept4", WAIT_IO },
  { "*", "connect", WAIT_IO },
  { "*", "recv", WAIT_IO },
  { "*", "recvfrom", WAIT_IO },
  { "*", "recvmsg", WAIT_IO },
  { "*", "send", WAIT_IO },
  { "*", "sendto", WAIT_IO },
  { "*", "sendmsg", WAIT_IO },
};

static bool
is_part (const char *text, size_t n, const char *part)
{
  return strlen (part) == n && memcmp (text, part, n) == 0;
}

/* `class` is empty of a native function. */
static enum wait_kind
find_kind (const char *class, size_t class_n, const char *name, size_t n)
{
  for (size_t i = 0; i < G_N_ELEMENTS (rules); i++)
    if (is_part (name, n, rules[i].method)
        && (strcmp (rules[i].class, "*") == 0 || is_part (class, class_n, rules[i].class)))
      return rules[i].kind;
  return WAIT_NONE;
}

/* Of the class and the method that a wrapper calls. */
static enum wait_kind
kind_of_wrapped (const char *class)
{
  const char *colon = strchr (class, ':');
  if (colon == NULL)
    return WAIT_NONE;
  return find_kind (class, (size_t) (colon - class), colon + 1, strcspn (colon + 1, " ("));
}

enum wait_kind
wait_kind_of_method (const char *name)
{
  return name != NULL && g_str_has_prefix (name, WRAPPER)
             ? kind_of_wrapped (name + strlen (WRAPPER))
             : WAIT_NONE;
}

enum wait_kind
wait_kind_of_frame (const char *frame)
{
  return g_str_has_suffix (frame, " [native]") ? kind_of_wrapped (frame) : WAIT_NONE;
}

/* The symbols of one function are read, __read, __GI___read and __libc_read. */
enum wait_kind
wait_kind_of_function (const char *symbol)
{
  static const char *const beginnings[] = { "GI_", "libc_" };
  if (symbol == NULL)
    return WAIT_NONE;
  symbol += strspn (symbol, "_");
  for (size_t i = 0; i < G_N_ELEMENTS (beginnings); i++) {
    if (g_str_has_prefix (symbol, beginnings[i]))
      symbol += strlen (beginnings[i]);
    symbol += strspn (symbol, "_");
  }
  return find_kind ("", 0, symbol, strlen (symbol));
}

static bool
begins_with_one_of (const char *text, const char *const beginnings[], size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (g_str_has_prefix (text, beginnings[i]))
      return true;
  return false;
}

bool
wait_is_inside (const char *method)
{
  static const char *const beginnings[] = { "(wrapper ",
                                            "System.Threading.",
                                            "System.Collections.Concurrent.",
                                            "System.IO.",
                                            "System.Diagnostics.Process:",
                                            "System.Runtime.CompilerServices.",
                                            "System.Console",
                                            "System.Net.Sockets.",
                                            "System.TermInfo",
                                            "Internal.Runtime",
                                            "Interop/",
                                            "Mono.Unix." };
  return begins_with_one_of (method, beginnings, G_N_ELEMENTS (beginnings));
}

const char *
wait_kind_name (enum wait_kind kind)
{
  static const char *const names[WAIT_KINDS]
      = { [WAIT_LOCK] = "lock",   [WAIT_EVENT] = "event", [WAIT_JOIN] = "join",
          [WAIT_CHILD] = "child", [WAIT_SLEEP] = "sleep", [WAIT_IO] = "io",
          [WAIT_POLL] = "poll",   [WAIT_GC] = "gc",       [WAIT_OTHER] = "other" };
  return kind < WAIT_KINDS ? names[kind] : NULL;
}

const char *
wait_kind_sentence (enum wait_kind kind)
{
  static const char *const texts[WAIT_KINDS] = {
    [WAIT_LOCK] = "waits for a lock, owner unknown",
    [WAIT_EVENT] = "waits for a signal",
    [WAIT_JOIN] = "waits for the end of a thread",
    [WAIT_CHILD] = "waits for the end of a process",
    [WAIT_SLEEP] = "sleeps",
    [WAIT_IO] = "waits for input or output",
    [WAIT_POLL] = "waits for descriptors",
    [WAIT_GC] = "waits for the collector",
  };
  return kind < WAIT_KINDS && texts[kind] != NULL ? texts[kind] : "waits in native code";
}
