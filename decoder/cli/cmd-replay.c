/* cmd-replay.c -- proflog replay (replay/). */
#include "decoder/cli/cli.h"
#include "decoder/cli/part-program.h"

int
cmd_replay (int argc, char **argv)
{
  (void) argc;
  return part_program_run ("proflog-replay", argv);
}
