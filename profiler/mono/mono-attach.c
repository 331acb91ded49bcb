/* mono-attach.c -- the function that `proflog attach` calls in a running program.
 *
 * The thread that is made to call proflog_attach_start may be anywhere outside of managed code, so
 * it starts another thread and returns.  That one is unknown to the runtime, which never stops it.
 */
#include "config.h"

#include "agent/attach-request.h"
#include "agent/native-thread.h"
#include "profiler/mono/mono-module.h"
#include <stdio.h>
#include <string.h>

__attribute__ ((visibility ("default"))) struct attach_request proflog_attach_request
    = { .size = sizeof proflog_attach_request };

int proflog_attach_start (void);

static void
put_result (enum attach_state state)
{
  __atomic_store_n (&proflog_attach_request.state, (uint32_t) state, __ATOMIC_RELEASE);
}

static void *
attach (void *unused)
{
  (void) unused;
  char options[PROFLOG_ATTACH_TEXT], why[512] = "";
  snprintf (options, sizeof options, "%.*s", (int) sizeof proflog_attach_request.text - 1,
            proflog_attach_request.text);
  const bool good = module_attach (options, why, sizeof why);
  snprintf (proflog_attach_request.text, sizeof proflog_attach_request.text, "%s", why);
  put_result (good ? ATTACH_DONE : ATTACH_REFUSED);
  return NULL;
}

/* Returns 0, or an errno number if no thread can be started. */
__attribute__ ((visibility ("default"))) int
proflog_attach_start (void)
{
  pthread_t thread;
  put_result (ATTACH_RUNNING);
  const int error = native_thread_start (&thread, 0, attach);
  if (error == 0)
    pthread_detach (thread);
  return error;
}
