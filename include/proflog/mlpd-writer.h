/* mlpd-writer.h -- writes Mono profiler logs (.mlpd): give it a header, buffers and events, take
 * bytes.
 *
 *   struct mlpd_writer *writer = mlpd_writer_new ();
 *   mlpd_writer_header (writer, &header, &error);               its data version is the events'
 *   mlpd_writer_begin_buffer (writer, thread, time, &error);    ends the one before
 *   mlpd_writer_event (writer, kind, &payload, &error); ...
 *   mlpd_writer_end (writer, time, thread);
 *   bytes = mlpd_writer_take (writer, &length);                 now and then, and at the end
 *
 * The writer does no output of its own.  Times are absolute, in ns of the log's monotonic clock,
 * and addresses are absolute, as a reader returns them: the writer works out bases and differences.
 * It holds one buffer.  Each GError may be NULL; those that are set are the caller's.  Not thread
 * safe; different writers are independent.
 *
 * docs/mlpd-format.md has the facts of the format, with their sources.
 */
#ifndef PROFLOG_MLPD_WRITER_H
#define PROFLOG_MLPD_WRITER_H

#include <glib.h>
#include <proflog/mlpd.h>

G_BEGIN_DECLS

/* A buffer that has this many bytes is ended, and the next event begins another of the same thread.
 */
#define MLPD_WRITER_BUFFER_BYTES (1u << 20)
/* The longest event, in bytes, and the most items of one of its lists. */
#define MLPD_WRITER_EVENT_MAX (16u << 20)

/* Codes of MLPD_WRITER_ERROR; their numbers stay. */
enum mlpd_writer_error {
  MLPD_WRITER_ERROR_HEADER = 1, /* a data version that does not exist, or a text that is too long */
  MLPD_WRITER_ERROR_ORDER
  = 2, /* a second header, a buffer before it, or an event outside buffers */
  MLPD_WRITER_ERROR_VERSION = 3,  /* the data version has no such event */
  MLPD_WRITER_ERROR_VALUE = 4,    /* a field has a value for which the data version has no room */
  MLPD_WRITER_ERROR_TOO_LONG = 5, /* an event or a list of it is above MLPD_WRITER_EVENT_MAX */
};
/* The domain of errors of writing.  Any thread may call it. */
#define MLPD_WRITER_ERROR (mlpd_writer_error_quark ())
GQuark mlpd_writer_error_quark (void);

struct mlpd_writer;

/* A new writer.  Free it with mlpd_writer_free, which accepts NULL and discards bytes that
 * mlpd_writer_take has not returned. */
struct mlpd_writer *mlpd_writer_new (void);
void mlpd_writer_free (struct mlpd_writer *writer);

/* Begins the log; its `id` is written by itself, and its texts are copied.  Once, and first.  False
 * and ORDER or HEADER on errors; nothing is written then. */
bool mlpd_writer_header (struct mlpd_writer *writer, const struct mlpd_file_header *header,
                         GError **error);

/* Whether a data version (1 to MLPD_VERSION_LAST) has events of this kind.  Any thread may call it. */
bool mlpd_writer_has_event (unsigned data_version, enum mlpd_kind kind);

/* Begins a buffer of a thread, by its id; `time` (ns) is where it starts.  Ends the buffer before.
 * False and ORDER if there is no header. */
bool mlpd_writer_begin_buffer (struct mlpd_writer *writer, uint64_t thread, uint64_t time,
                               GError **error);

/* Marks the buffer that was just begun as one of names that were announced before
 * (MLPD_REANNOUNCE_BASE). */
void mlpd_writer_mark_reannounced (struct mlpd_writer *writer);

/* The same of the context of a part of a log (MLPD_CONTEXT_BASE). */
void mlpd_writer_mark_context (struct mlpd_writer *writer);

/* Begins a buffer as one of a log that is read: of its thread and time, and marked as it is.  False and
 * ORDER if there is no header. */
bool mlpd_writer_begin_same (struct mlpd_writer *writer, const struct mlpd_buffer_header *header,
                             GError **error);

/* Adds an event to the buffer.  Fields that the data version does not have are ignored.  The
 * payload stays the caller's.  A buffer is not divided before a SAMPLE_COUNTERS event, as that may
 * belong to the SAMPLE_HIT before it.  On errors (ORDER, VERSION, VALUE, TOO_LONG) nothing of it is
 * written. */
bool mlpd_writer_event (struct mlpd_writer *writer, enum mlpd_kind kind,
                        const union mlpd_payload *payload, GError **error);

/* Ends the buffer, if there is one.  One without events is left out: an empty buffer is a mark. */
void mlpd_writer_end_buffer (struct mlpd_writer *writer);

/* Adds a loss mark (see MLPD_LOSS_BASE): `events` are not in the log; `reason` is 0 or an error
 * number of Linux.  Ends the buffer.  False and ORDER if there is no header. */
bool mlpd_writer_loss (struct mlpd_writer *writer, uint64_t time, uint64_t thread, uint64_t events,
                       int reason, GError **error);

/* Ends the log with the empty buffer that states that it is complete.  False and ORDER if there is
 * no header. */
bool mlpd_writer_end (struct mlpd_writer *writer, uint64_t time, uint64_t thread, GError **error);

/* Takes the complete bytes: all but the buffer that is open.  The bytes are the writer's, valid until
 * the next call on it. */
const uint8_t *mlpd_writer_take (struct mlpd_writer *writer, size_t *length);

G_END_DECLS

#endif
