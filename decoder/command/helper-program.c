/* helper-program.c -- replaces the process by a program that is installed next to it. */
#include "config.h"

#include "decoder/command/helper-program.h"
#include "decoder/command/cli.h"
#include "decoder/command/message.h"
#include <errno.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

const struct helper_program *helper_programs;

int
helper_program_run (const char *program, char **argv)
{
  for (const struct helper_program *p = helper_programs; p != NULL && p->name != NULL; p++)
    if (strcmp (p->name, program) == 0)
      return p->run ((int) g_strv_length (argv), argv);
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *bin = g_path_get_dirname (self != NULL ? self : "");
  char *const places[] = {
    g_build_filename (bin, program, NULL), /* in the build tree */
    g_build_filename (bin, "..", "libexec", "proflog", program, NULL),
    g_build_filename (PROFLOG_LIBEXECDIR, program, NULL),
  };
  const char *tried = NULL;
  for (size_t i = 0; i < G_N_ELEMENTS (places); i++) {
    tried = places[i];
    execv (tried, argv);
    if (errno != ENOENT && errno != ENOTDIR)
      break;
  }
  cli_message ("proflog %s: cannot run %s: %s", argv[0], tried, g_strerror (errno));
  for (size_t i = 0; i < G_N_ELEMENTS (places); i++)
    g_free (places[i]);
  return CLI_INPUT;
}
