/* entry-points.c -- what a program that is recorded may call itself (proflog/program.h). */
#include "config.h"

#include "profiler/control/control-verbs.h"
#include "profiler/record/recorder.h"
#include <proflog/program.h>
#include <stdio.h>
#include <string.h>

__attribute__ ((visibility ("default"))) int
proflog_control (const char *request, char *text, size_t size)
{
  char words[PROFLOG_CONTROL_REQUEST_MAX];
  if (request == NULL)
    request = ""; /* which is refused */
  if (text == NULL)
    size = 0;
  if (size != 0)
    text[0] = 0;
  if (!recorder_running ())
    return PROFLOG_NOT_RECORDED;
  struct reply reply = { .is_inside = true };
  if (strlen (request) >= sizeof words) {
    reply_error (&reply, PROFLOG_CONTROL_USAGE, "the request is longer than %zu bytes",
                 sizeof words - 1);
  } else {
    strcpy (words, request);
    control_dispatch (&module_verbs, words, &reply);
  }
  reply_finish (&reply);
  const int result = reply.failed || reply.text == NULL ? PROFLOG_REFUSED : PROFLOG_DONE;
  if (reply.text != NULL && size != 0)
    snprintf (text, size, "%s", reply.text);
  reply_clear (&reply);
  return result;
}
