/* process-files.h -- facts about other processes from /proc.  All functions are thread safe. */
#ifndef PROFLOG_PROCESS_FILES_H
#define PROFLOG_PROCESS_FILES_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The numbers of a process in its own namespaces, which are those of this process unless it is in a
 * container or the like. */
struct process_ids {
  uid_t user;        /* its effective user, as numbered here */
  uid_t user_inside; /* the same, as numbered in its user namespace */
  long pid_inside;   /* as numbered in its process namespace */
};

/* The process ids (long) of all processes of this user, or for root of all users, in order.  Free
 * with g_array_unref. */
GArray *process_list (void);

/* Is the process in such a list? */
bool process_list_has (const GArray *pids, long pid);

/* False if there is no such process. */
bool process_read_ids (long pid, struct process_ids *ids);

/* The words of its command line, up to NULL; none if they cannot be read.  Free with g_strfreev. */
char **process_words (long pid);

/* Its command line (transfer full), valid UTF-8; "" if it cannot be read. */
char *process_command (long pid);

/* The name of its program (transfer full): the assembly in its command line, else the program,
 * without directory; "" if it cannot be read. */
char *process_name (long pid);

/* Is the name a word of its command line, without its directory and with or without ".exe"? */
bool process_has_name (long pid, const char *name);

/* The value that a variable had in the environment with which its program was started (transfer
 * full); NULL if there is none, or if it cannot be read. */
char *process_variable (long pid, const char *name);

/* The processor time and memory of a running process. */
struct process_usage {
  uint64_t cpu_ns;       /* of all its threads, those that ended included */
  uint64_t memory_bytes; /* resident */
};

/* From proc(5).  False if there is no such process, or it is a zombie. */
bool process_usage_read (long pid, struct process_usage *usage);

#endif
