/* output.h -- where a command's results go: standard output, or a file that takes its place only
 * when it is whole. */
#ifndef PROFLOG_OUTPUT_H
#define PROFLOG_OUTPUT_H

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

struct output {
  const char *command; /* for messages */
  const char *path;    /* as it was given; NULL: standard output */
  char *target;        /* the same with links followed, where a file takes its place; else NULL */
  char *temporary;     /* beside `target`, until all was written */
  bool force;          /* replaces a file that is there */
  FILE *file;
  GString *held; /* text for a screen, until the end; NULL: nothing is held */
  bool can_page;
  bool failed; /* and that was reported */
};

/* Opens the output; path NULL or "-" is standard output.  Symbolic links are written through: to a
 * descriptor that is open for writing (as /dev/stdout is) as it is, else with `force` to the file
 * that they name: another user may have put them there.  A file that is no regular one is written
 * to and never replaced.  False with a message on stderr when it cannot be written, or is a file
 * that is there and `force` is not given.  At most one output to a file is open at a time. */
bool output_open (struct output *output, const char *command, const char *path, bool force);

/* The process ends at once: removes a file that is not whole.  In any thread or signal handler. */
void output_abandon (void);

/* False with a message on stderr when it cannot be written. */
bool output_write (struct output *output, const GString *text);

/* The same of an `output` that is passed on as data. */
bool output_put (void *output, const GString *text);

/* Does the output go to a terminal? */
bool output_is_screen (const struct output *output);

/* The width of the screen that the output goes to: COLUMNS or the terminal's own; 0: it goes to
 * none. */
unsigned output_columns (const struct output *output);

/* The output is text for people: on a screen that cannot show others, its characters are ASCII.  If
 * it has more lines than the screen, and `can_page`, it goes to a pager.  One that ends early is no
 * error. */
void output_set_text (struct output *output, bool can_page);

/* After the reader of standard output has closed it, which is no error: the rest goes nowhere. */
void output_discard (struct output *output);

/* Writes out the rest.  False with a message on stderr when that fails. */
bool output_flush (struct output *output);

/* Writes out the rest and closes.  A file takes its place unless nothing was written to it.  False
 * with a message on stderr when that fails. */
bool output_close (struct output *output);

#endif
