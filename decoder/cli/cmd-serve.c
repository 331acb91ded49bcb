/* cmd-serve.c -- proflog serve (decoder/serve). */
#include "decoder/cli/cli.h"
#include "decoder/cli/part-program.h"

int
cmd_serve (int argc, char **argv)
{
  (void) argc;
  return part_program_run ("proflog-serve", argv);
}
