/* control-inside.c -- requests that the program itself makes. */
#include "config.h"

#include "agent/requests.h"
#include <proflog/program.h>
#include <stdio.h>
#include <string.h>

int
control_inside (const struct control_verbs *verbs, const char *request, char *text, size_t size)
{
  char words[PROFLOG_CONTROL_REQUEST_MAX];
  struct reply reply = { .is_inside = true };
  if (request == NULL)
    request = ""; /* which is refused */
  if (strlen (request) >= sizeof words) {
    reply_error (&reply, PROFLOG_CONTROL_USAGE, "the request is longer than %zu bytes",
                 sizeof words - 1);
  } else {
    strcpy (words, request);
    control_dispatch (verbs, words, &reply);
  }
  reply_finish (&reply);
  const int result = reply.failed || reply.text == NULL ? PROFLOG_REFUSED : PROFLOG_DONE;
  if (reply.text != NULL && text != NULL && size != 0)
    snprintf (text, size, "%s", reply.text);
  reply_clear (&reply);
  return result;
}
