/* log.h -- a log of either runtime, Mono's or GHC's: its events one by one, its report, its heap.
 *
 *   struct proflog_log *log = proflog_log_open ("app.mlpd", &error);
 *   while (proflog_log_next (log) == PROFLOG_EVENT)
 *     if (proflog_log_kind (log) == NULL)
 *       ...proflog_log_damage (log)
 *     else if (proflog_log_number (log, "size", &bytes))
 *       ...proflog_log_kind (log), proflog_log_name (log, "klass")
 *   proflog_log_close (log);
 *
 * Kinds and fields, with the units of their numbers, are listed in docs/mlpd-events.md and
 * docs/ghc-events.md.  The log owns texts and lists, which are valid until the next call of proflog_log_next
 * or proflog_log_close; a program copies those that it needs for longer.  Texts end with a NUL, and may have
 * any other bytes; those of most logs are UTF-8.  Only the pointer to the GError may be NULL, unless a comment
 * states more.  A log belongs to one thread at a time; different logs are independent.
 *
 * Errors are those of PROFLOG_READ_ERROR (read.h), with a message in English that names the file, and
 * G_OPTION_ERROR where that is stated.  The caller owns a GError, and frees it (g_clear_error).  A damaged
 * log is no error: damage comes in the order of the file, as events do, and reading goes on after it.
 */
#ifndef PROFLOG_LOG_OF_EITHER_H
#define PROFLOG_LOG_OF_EITHER_H

#include <glib.h>
#include <proflog/read.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

struct proflog_log;

enum proflog_log_format {
  PROFLOG_LOG_MONO = 1,
  PROFLOG_LOG_GHC = 2,
};

/* Opens a log, plain or compressed (gzip, zstd); "-" is standard input.  Its first bytes are read, to
 * detect the format.  NULL with an error (PROFLOG_READ_ERROR_INPUT) if it cannot be opened or read.  Close
 * it with proflog_log_close, which accepts NULL, and does not close standard input. */
struct proflog_log *proflog_log_open (const char *path, GError **error);
void proflog_log_close (struct proflog_log *log);

/* A file that is no log counts as one of Mono: reading it is an error. */
enum proflog_log_format proflog_log_format (const struct proflog_log *log);

/* Selects a part of the log, before anything is read: an option of the command ("thread",
 * "time-range", "filter", "exclude", "min-bytes", "cap") and its value, as on the command line
 * (docs/usage.md).  Threads, expressions and capabilities that are given again add up; of a time range
 * and a size the last one counts.  Both texts are copied.  False with G_OPTION_ERROR if there is no such
 * option, the value is none, or an event was read already; after that the selection may be one of a part
 * of the value, so such a log is to be closed. */
bool proflog_log_select (struct proflog_log *log, const char *option, const char *value,
                         GError **error);

/* ---- events ---- */

/* Goes on to the next event, or damage, that is selected, in the order of the file: PROFLOG_EVENT,
 * PROFLOG_END, or PROFLOG_ERROR, with proflog_log_error; these two are returned again by each later
 * call.  Before the first call and after the last event there is none: functions for events return
 * NULL or false. */
enum proflog_result proflog_log_next (struct proflog_log *log);

/* The error of PROFLOG_ERROR; NULL: none.  The log owns it. */
const GError *proflog_log_error (const struct proflog_log *log);

/* The kind of the event, "alloc", "create-thread", ...; NULL for damage. */
const char *proflog_log_kind (const struct proflog_log *log);

/* The damage, in English; NULL for an event. */
const char *proflog_log_damage (const struct proflog_log *log);

/* When it happened, in ns: on the log's own clock (Mono), since the runtime started (GHC).  An event
 * of Mono without a time has that of the one before it in its buffer.  False: unknown. */
bool proflog_log_time (const struct proflog_log *log, uint64_t *ns);

/* The thread in whose buffer it is (Mono), the capability in whose block (GHC); false: none. */
bool proflog_log_thread (const struct proflog_log *log, uint64_t *thread);
bool proflog_log_cap (const struct proflog_log *log, unsigned *cap);

/* A field of the event, by its name.  False or NULL, and the out-parameter left alone, if the event has no
 * field of this name and type: a number (also an address, a bool, or the bits of a signed number), or a
 * text.  Of a field of several texts it is the first. */
bool proflog_log_number (const struct proflog_log *log, const char *field, uint64_t *number);
const char *proflog_log_text (const struct proflog_log *log, const char *field);

/* The name for the number of a field: that of a class, method or image as it was announced up to here, or
 * of a value ("pre-stop-world"); NULL: unknown. */
const char *proflog_log_name (const struct proflog_log *log, const char *field);

/* A field that is a list of numbers, as a backtrace or a stack is, in the order of the log; NULL, and *count
 * left alone: the event has none of this name.  An empty list is not NULL. */
const uint64_t *proflog_log_list (const struct proflog_log *log, const char *field, size_t *count);

/* The name of a method that is in a list, as it was announced up to here; NULL: unknown, or the log is one
 * of GHC. */
const char *proflog_log_method (const struct proflog_log *log, uint64_t method);

/* Reads on, and puts numbers of the next events of this kind ("alloc"), `rows` of them or up to the end of
 * the log, into columns: to[i] has room for `rows` values of fields[i], which is a field of these events,
 * "time" (ns), "thread" or "cap".  A field that an event lacks is 0.  *read is how many there were: fewer
 * than `rows` is the end.  False with an error (G_OPTION_ERROR) if the format has no such kind or field, or
 * the field is a text or a list, else that of proflog_log_error.  Damage is passed over. */
bool proflog_log_columns (struct proflog_log *log, const char *kind, size_t n, const char *const *fields,
                          uint64_t *const *to, size_t rows, size_t *read, GError **error);

/* Appends the event, or damage, as a line of `proflog dump`, without a line's end; nothing if there is
 * none. */
void proflog_log_print (const struct proflog_log *log, GString *out);

/* ---- reports ---- */

struct proflog_report;

/* The report of the selection: `sections` as in `proflog report --reports`, such as
 * "allocations,gc", but for timeline and series; NULL: the usual ones.  The log is read from its
 * beginning, whatever was read before; standard input only if nothing was.  Events are not affected.
 * NULL with an error, also if there is no such section (G_OPTION_ERROR).  Free it with
 * proflog_report_free, which accepts NULL; it does not need the log. */
struct proflog_report *proflog_log_report (struct proflog_log *log, const char *sections,
                                           GError **error);
void proflog_report_free (struct proflog_report *report);

/* All of it, as `proflog report --format json` prints it (docs/json.md): UTF-8.  The report's, valid until
 * it is freed. */
const char *proflog_report_json (const struct proflog_report *report);

/* A figure by the keys around it in JSON, such as "gc.pauses.main.p99_ns", whose end is its unit; false, and
 * *number left alone: the report has none, or it is no whole number of at least 0.  Rows of tables are in
 * the JSON alone. */
bool proflog_report_number (const struct proflog_report *report, const char *key, uint64_t *number);

/* ---- heap snapshots ---- */

/* The objects of a heap snapshot are numbered from 0.  Arrays are the heap's, one place an object, and do
 * not change: any threads may read them at a time. */
struct proflog_heap {
  uint32_t objects;
  const uint64_t *addresses; /* ascending */
  const uint64_t *bytes;
  const uint64_t *retained;   /* bytes that are free when it is gone; 0: no root leads to it */
  const uint32_t *dominators; /* the object that alone keeps it alive; PROFLOG_HEAP_ROOTS: only roots do;
                               * PROFLOG_HEAP_UNREACHED: no root leads to it */
  const uint32_t *classes;    /* for proflog_heap_class */
  /* The objects that it refers to: targets[first[object]] up to targets[first[object + 1]], without that:
   * `first` has one place more than there are objects. */
  const uint32_t *first;
  const uint32_t *targets;
};

#define PROFLOG_HEAP_ROOTS (UINT32_MAX - 1)
#define PROFLOG_HEAP_UNREACHED UINT32_MAX

/* A heap snapshot of a Mono log, by its number from 1; 0: the last one that is complete, or the
 * last.  NULL with an error if there is none.  Read as proflog_log_report reads; free it with
 * proflog_heap_free, which accepts NULL; it does not need the log. */
struct proflog_heap *proflog_log_heap (struct proflog_log *log, unsigned snapshot, GError **error);
void proflog_heap_free (struct proflog_heap *heap);

/* The name of a class, by its number from 0; NULL if there is none of this number, so that a program can
 * count them.  The heap's.  Any threads may call it at a time. */
const char *proflog_heap_class (const struct proflog_heap *heap, uint32_t klass);

G_END_DECLS

#endif
