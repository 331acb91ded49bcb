/* processes.h -- processes that write logs: their files, kinds and reach. */
#ifndef PROFLOG_PROCESSES_H
#define PROFLOG_PROCESSES_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* ---- the beginning of a file: of a log, or not ---- */

enum log_head {
  LOG_HEAD_LOG,    /* of Mono or GHC */
  LOG_HEAD_PACKED, /* a compressed file, which may be a log */
  LOG_HEAD_EMPTY,  /* no bytes */
  LOG_HEAD_OTHER,  /* something else, or it cannot be read */
};

/* Inspects the first bytes of a file.  Thread safe. */
enum log_head log_head_of (const char *path);

/* ---- facts about other processes from /proc. All functions are thread safe ---- */

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

/* ---- kinds of running programs: Mono, GHC ---- */

enum process_runtime { PROCESS_OTHER, PROCESS_MONO, PROCESS_GHC };

struct process_kind {
  enum process_runtime runtime;
  bool has_module; /* proflog's module is loaded, in Mono or a replay */
};

/* Inspects the files that the process has mapped, and its executable file: not all of it, so a GHC
 * program without symbols that has one thread is missed.  PROCESS_OTHER, too, if that is not
 * allowed. Thread safe. */
struct process_kind process_kind_of (long pid);

/* ---- files, logs and control sockets of processes that see other files than this one ---- */

/* Of containers, services with a private /tmp, programs with another runtime directory. All
 * functions are thread safe. */

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
