/* embedded-file.h -- files of the source tree that are part of the command (scripts/embed-files).
 */
#ifndef PROFLOG_EMBEDDED_FILE_H
#define PROFLOG_EMBEDDED_FILE_H

#include <stddef.h>

struct embedded_file {
  const char *name; /* "" is the page itself */
  const char *type;
  const unsigned char *bytes;
  size_t length;
};

/* Up to one with name NULL: of the page of `proflog serve`, of flame graphs, of heat maps, of
 * reports, of their timelines. */
extern const struct embedded_file page_files[];
extern const struct embedded_file flame_files[];
extern const struct embedded_file heat_files[];
extern const struct embedded_file report_files[];
extern const struct embedded_file timeline_files[];

#endif
