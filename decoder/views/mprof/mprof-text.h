/* mprof-text.h -- what sections of mprof-report's text share. */
#ifndef PROFLOG_MPROF_TEXT_H
#define PROFLOG_MPROF_TEXT_H

#include <glib.h>
#include <stdint.h>

/* An address as C's %p prints it: "0x7f11", or "(nil)" for 0. */
void mprof_append_address (GString *out, uint64_t address);

/* Nanoseconds as seconds with `digits` decimals, the last one rounded. */
void mprof_append_seconds (GString *out, double ns, int digits);

/* A real number with `digits` decimals and a point, whatever the locale, in at least `width`
 * characters. */
void mprof_append_real (GString *out, double value, int width, int digits);

/* The head of a table of the columns bytes, count and average, after `indent`. */
void mprof_append_type_head (GString *out, const char *indent, const char *title);

/* Its row, without the end of the line. */
void mprof_append_type_row (GString *out, const char *indent, uint64_t bytes, uint64_t count,
                            const char *name);

#endif
