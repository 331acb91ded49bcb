/* process-state.c -- reads /proc. */
#include "config.h"

#include "decoder/core/process-state.h"
#include <glib.h>
#include <string.h>

char
process_state (long pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%ld/stat", pid);
  g_autofree char *text = NULL;
  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  const char *state = strrchr (text, ')'); /* of its name, which may be anything */
  return state != NULL && state[1] == ' ' ? state[2] : 0;
}
