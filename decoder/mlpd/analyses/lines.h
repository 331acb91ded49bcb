/* lines.h -- source lines that samples hit.
 *
 * A hit counts for the innermost frame that has a line: code without debug information counts for
 * the line that called it.  All lines of the stack have the hit in their total.  Hits of threads
 * that waited do not count (samples.h).
 */
#ifndef PROFLOG_LINES_H
#define PROFLOG_LINES_H

#include <glib.h>
#include <proflog/mlpd.h>

struct line_sum {
  guint method; /* symbol */
  guint line;
  const char *file; /* the lines' */
  uint64_t hits;
  uint64_t total; /* with all that it called */
  uint64_t seen;  /* the latest hit that has it, from 1 on */
};

struct lines {
  uint64_t hits; /* with and without lines */
  uint64_t with_lines;
  GArray *all;        /* of struct line_sum */
  GHashTable *places; /* of struct line_place -> index + 1 */
  GStringChunk *files;
};

extern const struct analysis lines_analysis;

void lines_init (struct lines *lines);
void lines_clear (struct lines *lines);

/* A hit with these methods on the stack, innermost first, and the text of their lines
 * (docs/mlpd-format.md): whatever is damaged in it has no line. */
void lines_hit (struct lines *lines, const guint *methods, size_t n, struct mlpd_string text);

#endif
