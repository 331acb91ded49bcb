/* remote-call.h -- has a thread of another process call functions, by ptrace.
 *
 * The thread is one that waits in a system call of the C library, where it can hold neither the
 * lock of the loader nor that of malloc, and that the kernel begins again afterwards.  All other
 * threads run on. Between begin and end the calling thread must not end: it is the tracer.
 * For x86-64; on other machines it fails.
 */
#ifndef PROFLOG_REMOTE_CALL_H
#define PROFLOG_REMOTE_CALL_H

#include "decoder/attach/remote-process.h"
#include <sys/types.h>
#include <sys/user.h>

struct remote_call {
  const struct remote_process *process;
  pid_t thread;
#if defined(__x86_64__)
  struct user_regs_struct saved;
#endif
};

/* Stops a thread that waits; searches for one for at most this many ms.  Fails with G_FILE_ERROR
 * and a message without the process's name. */
bool remote_call_begin (struct remote_call *call, const struct remote_process *process,
                        unsigned limit_ms, GError **error);

/* Calls the function at the address with a text, if it is not NULL, as its first argument, which is
 * valid until the call ends, and a number as its second.  Signals that the thread gets meanwhile
 * are passed on. Returns when the function does.  False if the thread ended instead. */
bool remote_call_function (struct remote_call *call, uint64_t address, const char *text,
                           uint64_t number, uint64_t *result);

/* Lets the thread go on as if nothing had been. */
void remote_call_end (struct remote_call *call);

#endif
