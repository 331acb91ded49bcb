/* cmd-replay.c -- proflog replay: runs the program that does it (replay/), which pretends to be a
 * Mono. */
#include "config.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/tell.h"
#include <errno.h>
#include <glib.h>
#include <unistd.h>

#define PROGRAM "proflog-replay"

int
cmd_replay (int argc, char **argv)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *bin = g_path_get_dirname (self != NULL ? self : "");
  char *const places[] = {
    g_build_filename (bin, PROGRAM, NULL), /* in the build tree */
    g_build_filename (bin, "..", "libexec", "proflog", PROGRAM, NULL),
    g_build_filename (PROFLOG_LIBEXECDIR, PROGRAM, NULL),
  };
  (void) argc;
  for (size_t i = 0; i < G_N_ELEMENTS (places); i++) {
    execv (places[i], argv);
    if (errno != ENOENT && errno != ENOTDIR)
      break;
  }
  cli_tell ("proflog replay: %s cannot be run: %s", places[G_N_ELEMENTS (places) - 1],
            g_strerror (errno));
  for (size_t i = 0; i < G_N_ELEMENTS (places); i++)
    g_free (places[i]);
  return CLI_INPUT;
}
