/* log-save.h -- one whole log of the files that are there, while the log is written. */
#ifndef PROFILER_LOG_SAVE_H
#define PROFILER_LOG_SAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A log that was saved. */
struct log_saved {
  uint64_t bytes; /* as they are on the disk */
  size_t files;   /* that were copied */
};

/* Copies the log up to now into the file `path`, which must not exist: the files that ended within
 * the last `last_ns`, and the current one; UINT64_MAX: all files.  The file appears when it is
 * complete.  False with a message in `why`.  From any thread, but one at a time. */
bool log_save (const char *path, uint64_t last_ns, struct log_saved *saved, char *why, size_t size);

/* The program ends: stops a copy that is being made. */
void log_save_give_up (void);

#endif
