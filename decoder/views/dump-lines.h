/* dump-lines.h -- the common parts of the lines of a dump, of either format. */
#ifndef PROFLOG_DUMP_LINES_H
#define PROFLOG_DUMP_LINES_H

#include "decoder/output/emitter.h"

struct dump_lines {
  enum emitter_format format; /* text, JSON or CSV */
  const char *log_name;       /* of one among several; NULL: the only one */
  bool by_clock;    /* lines of all logs are mixed, and each begins with the time of day */
  bool clock_later; /* dump_lines_add_clock puts that time in front of them */
  bool head;        /* CSV: the names of columns are still to be written */
  bool apart;       /* an empty line comes first, as lines with other columns are before */
  bool begun;       /* a line was written, or might have been */
};

/* Before the first line: the log's name in text, the columns in CSV, of which those are given that
 * are not the same for all. */
void dump_lines_head (struct dump_lines *lines, const char *columns, GString *out);

/* The columns of CSV where lines of all logs are mixed. */
void dump_lines_head_by_clock (bool has_names, GString *out);

/* The beginning of a line: in JSON of an object.  `clock` is the time of day in ns since 1970, of
 * no use but by the clock. */
void dump_lines_begin (const struct dump_lines *lines, uint64_t clock, GString *out);

/* Appends a line that was begun without its time of day, with it; 0: it is not known. */
void dump_lines_add_clock (const struct dump_lines *lines, uint64_t clock, const GString *line,
                           GString *out);

/* The line of damage that has no place in the log: of its compression. */
void dump_lines_damage (const struct dump_lines *lines, bool truncated, const char *message,
                        GString *out);

/* The offset that begins a line of text, in a column. */
void dump_lines_offset (uint64_t offset, GString *out);

#endif
