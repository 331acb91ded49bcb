/* figure.h -- figures as people read them: 12.6 MB, 1 min 57 s, 2.16 M.
 *
 * Sizes are in powers of 1000.  A figure has three digits; a column of figures has one unit, which
 * its head states, and three decimals; a figure of which these would show nothing has its own.
 */
#ifndef PROFLOG_FIGURE_H
#define PROFLOG_FIGURE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum figure_unit { FIGURE_NONE, FIGURE_COUNT, FIGURE_BYTES, FIGURE_NS };

/* A figure with its unit (transfer full). */
char *figure_text (enum figure_unit unit, uint64_t figure);

/* A size in a sentence, "960 bytes", "12.6 MB" (transfer full). */
char *figure_bytes_text (uint64_t bytes);

/* The unit of a column. */
struct figure_scale {
  const char *name; /* "": figures are printed as they are */
  uint64_t factor;
};

/* The scale of a column with this largest figure. */
struct figure_scale figure_choose_scale (enum figure_unit unit, uint64_t largest);

/* A figure of a column, without its unit; with one of its own if it would be 0.000 and is not 0
 * (transfer full). */
char *figure_scaled_text (enum figure_unit unit, const struct figure_scale *scale, uint64_t figure);

/* The head of a column with the unit of its figures: "Max bytes" becomes "Max MB" (transfer full).
 */
char *figure_head (enum figure_unit unit, const struct figure_scale *scale, const char *label);

#endif
