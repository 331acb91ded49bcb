/* control-folders.h -- where the control sockets of programs are (proflog/control.h): in the
 * folders of this process, or in those of the program itself (process-reach.h).  All functions are
 * thread safe. */
#ifndef PROFLOG_CONTROL_FOLDERS_H
#define PROFLOG_CONTROL_FOLDERS_H

#include <glib.h>

/* The process ids (long) of this user's programs that listen in the folders of this process, or for
 * root of all users', in any order.  Sockets that killed ones have left are removed.  Free with
 * g_array_unref. */
GArray *control_folders_list (void);

/* Connects to the control socket of the process.  The caller closes the descriptor.  -1: with *path
 * NULL none was found, else errno is the reason for which this one cannot be used (transfer full).
 */
int control_folders_connect (long pid, char **path);

#endif
