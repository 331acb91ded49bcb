/* helper-program.h -- commands that are programs of their own, with libraries that the others shall
 * not load.
 */
#ifndef PROFLOG_HELPER_PROGRAM_H
#define PROFLOG_HELPER_PROGRAM_H

/* A program that is a part of this one. */
struct helper_program {
  const char *name;
  int (*run) (int argc, char **argv);
};

/* Those that this program has within it, up to one without a name, as the static program does;
 * NULL: none. */
extern const struct helper_program *helper_programs;

/* Runs the program of this name in the place of this one: that which is in the build tree, or
 * installed.  argv[0] is the name of the command.  Returns the exit status if that fails, which was
 * reported. */
int helper_program_run (const char *program, char **argv);

#endif
