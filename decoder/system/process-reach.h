/* process-reach.h -- files, logs and control sockets of processes that see other files than this
 * one: of containers, services with a private /tmp, programs with another runtime directory.  All
 * functions are thread safe. */
#ifndef PROFLOG_PROCESS_REACH_H
#define PROFLOG_PROCESS_REACH_H

#include <glib.h>
#include <stdbool.h>

/* The path at which this process can open a file that is `path` (absolute) to the other one
 * (transfer full): the same one, unless that is another file here.  It remains valid when the other
 * process ends, until process_forget. */
char *process_path (long pid, const char *path);

/* Closes the descriptors that process_path holds of the process: they keep the mounts of a
 * container. */
void process_forget (long pid);

/* Connects to the control socket of this name in a folder (NAME of proflog/control.h), whose
 * listener has to be the process, of this user unless this is root.  -1 with errno.  The caller
 * closes the descriptor. */
int process_connect_in (const char *folder, const char *name, long pid);

/* Connects to the control socket of the process, wherever its own environment, its files and the
 * sockets of its network place it.  -1: none is found. */
int process_connect (long pid);

/* A log of Mono or GHC that the process has open for writing, as a path at which it can be read
 * here (transfer full); NULL if none is found.  `can_be_packed`: any compressed file is one. Thread
 * safe. */
char *process_log_find (long pid, bool can_be_packed);

#endif
