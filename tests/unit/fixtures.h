/* fixtures.h -- for tests: the files they read, and bytes as the input of a log.  A file that
 * cannot be read ends the program. */
#ifndef PROFLOG_TESTS_FIXTURES_H
#define PROFLOG_TESTS_FIXTURES_H

#include <glib.h>
#include <proflog/log.h>

struct log_input;

/* The path of a file of tests/FOLDER (transfer full). */
char *fixture_path (const char *folder, const char *name);

/* The paths of at least this many files of tests/FOLDER, those whose names end so, by name
 * (transfer full). */
GPtrArray *fixture_paths (const char *folder, const char *suffix, guint least);

/* A log of tests/logs, through the library. */
struct proflog_log *fixture_open_log (const char *name);

/* The bytes of a log, unpacked (transfer full). */
GByteArray *fixture_log (const char *path);

/* A file of these bytes, which is gone once the input is closed. */
struct log_input *fixture_input (const guint8 *bytes, gsize length);

/* All reads of an open file fail from now on, with EISDIR, as those of a disk with errors do: its
 * descriptor becomes a folder's. */
void fixture_fail_reads (const struct log_input *input);

/* An open file becomes this long. */
void fixture_truncate (const struct log_input *input, gsize length);

#endif
