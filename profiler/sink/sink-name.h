/* sink-name.h -- names of files, made of the patterns of options. */
#ifndef PROFILER_SINK_NAME_H
#define PROFILER_SINK_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* `to` is `pattern` with %p, %t and %% replaced, and `number`, unless that is 0, put before the
 * last point of the file's name.  False with a message in `why`. */
bool sink_expand (char *to, size_t to_size, const char *pattern, unsigned number, char *why,
                  size_t size);

/* Whether a pattern has %p. */
bool sink_has_pid (const char *pattern);

/* Puts `text` before the last point of a file's name: app.mlpd -> app.TEXT.mlpd.  False if that
 * does not fit. */
bool sink_insert (char *name, size_t size, const char *text);

/* Writes to `name` the name of a file of the option `output`: of this number, of several; 0: of the
 * only one.  False with a message in `why`. */
bool sink_name_file (char *name, size_t name_size, const char *output, unsigned number, char *why,
                     size_t size);

/* To `pattern` (of `size` bytes) the directory, and the pattern `rest` in it.  False if that is too
 * long. */
bool sink_pattern_in (char *pattern, size_t size, const char *directory, const char *rest);

#endif
