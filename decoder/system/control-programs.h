/* control-programs.h -- the programs of Mono and GHC that run, whether they are recorded, and the
 * control sockets by which they are reached (proflog/control.h): in the folders of this process, or
 * in those of the program itself (processes.h).
 */
#ifndef PROFLOG_CONTROL_PROGRAMS_H
#define PROFLOG_CONTROL_PROGRAMS_H

#include "decoder/system/processes.h"
#include <glib.h>

enum control_state {
  CONTROL_RECORDED,     /* it can be controlled, too */
  CONTROL_DETACHED,     /* so it can, but 'proflog detach' ended its log (detach_mark) */
  CONTROL_UNCONTROLLED, /* it has the module or writes a log, but has no control socket */
  CONTROL_UNPROFILED,
};

struct control_program {
  long pid;
  enum control_state state;
  enum process_runtime runtime;
};

/* This user's programs (struct control_program), or for root those of all users, by state and
 * process id.  Free with g_array_unref.  Thread safe. */
GArray *control_programs_list (void);

/* "recorded", "detached", "no control", "not profiled" */
const char *control_programs_state (enum control_state state);

/* "mono", "ghc"; NULL: neither is recognised. */
const char *control_programs_runtime (enum process_runtime runtime);

/* The command line that has the program recorded, or reads its log as it is (transfer full); NULL
 * if there is none, as it is recorded, or as it is not known how. */
char *control_programs_mend (const struct control_program *program);

/* The process that has this name (process_has_name): a recorded one, else one without control, else
 * one that is not profiled.  0: none, or several, with an error that lists them. */
long control_programs_find (const char *name, GError **error);

/* The process that a text is the number of, or that control_programs_find finds by it, without its
 * directory; 0 with an error. */
long control_programs_find_process (const char *process, GError **error);

/* Appends a line of text about the program, and one that mends it if it is not recorded. */
void control_programs_append (GString *text, const struct control_program *program);

/* The programs, as control_programs_append describes them.  Free with g_free. */
char *control_programs_describe (void);

/* The reason why a process has no control socket, with the line that mends it (transfer full). */
char *control_programs_explain (long pid);

/* Connects to the control socket of the process.  The caller closes the descriptor.  -1: with *path
 * NULL none was found, else errno is the reason for which this one cannot be used (transfer full).
 */
int control_folders_connect (long pid, char **path);

#endif
