/* helper-program.h -- commands that are programs of their own, with libraries that the others shall
 * not load.
 */
#ifndef PROFLOG_HELPER_PROGRAM_H
#define PROFLOG_HELPER_PROGRAM_H

/* Runs the program of this name in the place of this one: that which is in the build tree, or
 * installed.  argv[0] is the name of the command.  Returns the exit status if that fails, which was
 * reported. */
int helper_program_run (const char *program, char **argv);

#endif
