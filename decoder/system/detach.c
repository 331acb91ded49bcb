/* detach.c -- a program that is being recorded goes on without. */
#include "config.h"

#include "decoder/system/control-programs.h"
#include "decoder/system/program-control.h"
#include <string.h>

/* Sends a request; the reply is to begin with "ok". */
static bool
request (long pid, const char *line, GError **error)
{
  g_autofree char *text = g_strconcat (line, "\n", NULL);
  g_autofree char *reply = control_client_request (pid, text, error);
  if (reply == NULL)
    return false;
  if (g_str_has_prefix (reply, "ok"))
    return true;
  g_auto (GStrv) lines = g_strsplit (reply, "\n", 3);
  const bool has_reason = g_strv_length (lines) > 1 && *lines[1] != 0;
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "process %ld: %s", pid,
               has_reason ? lines[1] : "the reply is invalid");
  return false;
}

bool
detach_process (long pid, GError **error)
{
  return request (pid, "stop", error) && request (pid, "output " DETACHED_OUTPUT, error);
}

/* Nothing is recorded, by this status; `is_detached`: to nowhere.  False without a status (NULL).
 */
static bool
is_idle (const char *reply, bool is_detached)
{
  return reply != NULL && strstr (reply, "\nrecording: no\n") != NULL
         && (!is_detached || strstr (reply, "\nlog: " DETACHED_OUTPUT "\n") != NULL);
}

char *
detach_log (long pid)
{
  return control_client_status (pid, "log", CONTROL_REPLY_MS);
}

char *
detach_options (long pid)
{
  return control_client_status (pid, "options", CONTROL_REPLY_MS);
}

char *
detach_problem (long pid)
{
  char *problem = control_client_status (pid, "problem", CONTROL_REPLY_MS);
  if (problem != NULL && *problem == 0)
    g_clear_pointer (&problem, g_free);
  return problem;
}

bool
detach_is_done (long pid)
{
  g_autofree char *reply = control_client_request (pid, CONTROL_STATUS, NULL);
  return is_idle (reply, true);
}

void
detach_mark (GArray *programs)
{
  for (guint i = 0; i < programs->len; i++) {
    struct control_program *p = &g_array_index (programs, struct control_program, i);
    if (p->state != CONTROL_RECORDED || control_client_is_stopped (p->pid))
      continue;
    g_autofree char *reply
        = control_client_request_within (p->pid, CONTROL_STATUS, CONTROL_SHORT_MS, NULL);
    if (is_idle (reply, true))
      p->state = CONTROL_DETACHED;
  }
}

bool
detach_is_paused (long pid)
{
  g_autofree char *reply = control_client_request (pid, CONTROL_STATUS, NULL);
  return is_idle (reply, false);
}

bool
detach_undo (long pid, const char *output, const char *const *settings, GError **error)
{
  for (; *settings != NULL; settings++)
    if (!request (pid, *settings, error))
      return false;
  g_autofree char *line = g_strconcat ("output ", output, NULL);
  return request (pid, line, error) && request (pid, "start", error);
}
