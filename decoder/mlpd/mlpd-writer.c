/* mlpd-writer.c -- writes headers, buffers and events of Mono logs. */
#include "config.h"

#include "decoder/mlpd/mlpd-value-check.h"

#include <proflog/mlpd-encode.h>
#include <proflog/mlpd-writer.h>

#include "decoder/mlpd/mlpd-describe.h"

struct mlpd_writer {
  struct mlpd_encoder encoder; /* of the open buffer */
  GByteArray *done;            /* complete bytes, for mlpd_writer_take */
  GByteArray *events;          /* of the open buffer */
  uint64_t thread;             /* of it */
  unsigned version;            /* data version; 0: there is no header yet */
  uint8_t pointer_size;
  bool has_buffer;
  bool was_taken; /* all of `done` */
};

struct mlpd_writer *
mlpd_writer_new (void)
{
  struct mlpd_writer *w = g_new0 (struct mlpd_writer, 1);
  w->done = g_byte_array_new ();
  w->events = g_byte_array_new ();
  return w;
}

void
mlpd_writer_free (struct mlpd_writer *w)
{
  if (w == NULL)
    return;
  g_byte_array_unref (w->done);
  g_byte_array_unref (w->events);
  g_free (w);
}

/* Where complete bytes go. */
static GByteArray *
done (struct mlpd_writer *w)
{
  if (w->was_taken)
    g_byte_array_set_size (w->done, 0);
  w->was_taken = false;
  return w->done;
}

const uint8_t *
mlpd_writer_take (struct mlpd_writer *w, size_t *length)
{
  *length = done (w)->len;
  w->was_taken = true;
  return w->done->data;
}

static bool
needs_header (const struct mlpd_writer *w, GError **error)
{
  if (w->version != 0)
    return false;
  g_set_error (error, MLPD_WRITER_ERROR, MLPD_WRITER_ERROR_ORDER, "the log has no header yet");
  return true;
}

/* ---- headers ---- */

static bool
check_header (const struct mlpd_file_header *header, GError **error)
{
  const size_t longest = MAX (header->arguments.length,
                              MAX (header->architecture.length, header->operating_system.length));
  if (header->data_version == 0 || header->data_version > MLPD_VERSION_LAST)
    g_set_error (error, MLPD_WRITER_ERROR, MLPD_WRITER_ERROR_HEADER,
                 "there is no data version %u; there are 1 to %u", header->data_version,
                 MLPD_VERSION_LAST);
  else if (header->pointer_size != 4 && header->pointer_size != 8)
    g_set_error (error, MLPD_WRITER_ERROR, MLPD_WRITER_ERROR_HEADER,
                 "pointers have 4 or 8 bytes, not %u", header->pointer_size);
  else if (header->major != 0 && longest >= MLPD_HEADER_STRING_MAX)
    g_set_error (error, MLPD_WRITER_ERROR, MLPD_WRITER_ERROR_HEADER,
                 "a text of the header has %" G_GSIZE_FORMAT " bytes; there may be %u", longest,
                 MLPD_HEADER_STRING_MAX - 1);
  else
    return true;
  return false;
}

bool
mlpd_writer_header (struct mlpd_writer *w, const struct mlpd_file_header *given, GError **error)
{
  struct mlpd_file_header header = *given;
  if (w->version != 0) {
    g_set_error (error, MLPD_WRITER_ERROR, MLPD_WRITER_ERROR_ORDER, "the log has a header already");
    return false;
  }
  if (!check_header (&header, error))
    return false;
  header.id = MLPD_FILE_ID;
  GByteArray *to = done (w);
  const guint start = to->len;
  g_byte_array_set_size (to, start + (guint) mlpd_bound_file_header (&header));
  const uint8_t *end = mlpd_put_file_header (to->data + start, &header);
  g_byte_array_set_size (to, (guint) (end - to->data));
  w->version = header.data_version;
  w->pointer_size = header.pointer_size;
  return true;
}

static void
put_buffer_header (struct mlpd_writer *w, const struct mlpd_buffer_header *header)
{
  uint8_t raw[MLPD_BUFFER_HEADER_SIZE];
  mlpd_put_buffer_header (raw, header);
  g_byte_array_append (done (w), raw, sizeof raw);
}

/* ---- buffers ---- */

bool
mlpd_writer_begin_buffer (struct mlpd_writer *w, uint64_t thread, uint64_t time, GError **error)
{
  if (needs_header (w, error))
    return false;
  mlpd_writer_end_buffer (w);
  mlpd_encoder_start (&w->encoder, w->version, time);
  w->thread = thread;
  w->has_buffer = true;
  return true;
}

void
mlpd_writer_mark_reannounced (struct mlpd_writer *w)
{
  if (w->events->len == 0)
    w->encoder.obj_base = MLPD_REANNOUNCE_BASE;
}

void
mlpd_writer_mark_context (struct mlpd_writer *w)
{
  if (w->events->len == 0)
    w->encoder.obj_base = MLPD_CONTEXT_BASE;
}

bool
mlpd_writer_begin_same (struct mlpd_writer *w, const struct mlpd_buffer_header *header,
                        GError **error)
{
  if (!mlpd_writer_begin_buffer (w, header->thread, header->time_base, error))
    return false;
  if (mlpd_is_reannounced (header))
    mlpd_writer_mark_reannounced (w);
  else if (mlpd_is_context (header))
    mlpd_writer_mark_context (w);
  return true;
}

void
mlpd_writer_end_buffer (struct mlpd_writer *w)
{
  const struct mlpd_buffer_header header
      = mlpd_encoder_header (&w->encoder, w->thread, w->events->len);
  w->has_buffer = false;
  if (w->events->len == 0)
    return;
  put_buffer_header (w, &header);
  g_byte_array_append (done (w), w->events->data, w->events->len);
  g_byte_array_set_size (w->events, 0);
}

/* Continues a full buffer in another one. */
static void
divide_buffer (struct mlpd_writer *w)
{
  const uint64_t time = w->encoder.time;
  const uint64_t base = w->encoder.obj_base;
  mlpd_writer_end_buffer (w);
  mlpd_encoder_start (&w->encoder, w->version, time);
  w->encoder.obj_base = base == MLPD_REANNOUNCE_BASE || base == MLPD_CONTEXT_BASE ? base : 0;
  w->has_buffer = true;
}

bool
mlpd_writer_loss (struct mlpd_writer *w, uint64_t time, uint64_t thread, uint64_t events,
                  int reason, GError **error)
{
  if (needs_header (w, error))
    return false;
  const struct mlpd_buffer_header mark = mlpd_loss_mark (time, thread, events, reason);
  mlpd_writer_end_buffer (w);
  put_buffer_header (w, &mark);
  return true;
}

bool
mlpd_writer_end (struct mlpd_writer *w, uint64_t time, uint64_t thread, GError **error)
{
  if (needs_header (w, error))
    return false;
  const struct mlpd_buffer_header mark
      = { .id = MLPD_BUFFER_ID, .time_base = time, .thread = thread };
  mlpd_writer_end_buffer (w);
  put_buffer_header (w, &mark);
  return true;
}

/* ---- events ---- */

bool
mlpd_writer_has_event (unsigned version, enum mlpd_kind kind)
{
  const struct mlpd_description *description = mlpd_describe (kind);
  return version >= description->since && version <= description->until;
}

static bool
can_write (const struct mlpd_writer *w, enum mlpd_kind kind, const union mlpd_payload *payload,
           GError **error)
{
  if (needs_header (w, error))
    return false;
  if (!w->has_buffer) {
    g_set_error (error, MLPD_WRITER_ERROR, MLPD_WRITER_ERROR_ORDER,
                 "an event '%s' cannot be written outside a buffer", mlpd_describe (kind)->name);
    return false;
  }
  if (!mlpd_writer_has_event (w->version, kind)) {
    g_set_error (error, MLPD_WRITER_ERROR, MLPD_WRITER_ERROR_VERSION,
                 "data version %u has no event '%s'", w->version, mlpd_describe (kind)->name);
    return false;
  }
  return mlpd_check_values (kind, payload, w->version, w->pointer_size, error);
}

/* An event of MLPD_WRITER_EVENT_MAX bytes has a bound of some 10 times as many, so one of a larger
 * bound than this is not written at all: texts that share their bytes may need more than there is
 * memory, or than a GByteArray can have. */
#define BOUND_MAX ((size_t) 1 << 30)

static void
refuse_length (enum mlpd_kind kind, size_t length, GError **error)
{
  g_set_error (error, MLPD_WRITER_ERROR, MLPD_WRITER_ERROR_TOO_LONG,
               "an event '%s' has %" G_GSIZE_FORMAT " bytes; there may be %u",
               mlpd_describe (kind)->name, length, MLPD_WRITER_EVENT_MAX);
}

bool
mlpd_writer_event (struct mlpd_writer *w, enum mlpd_kind kind, const union mlpd_payload *payload,
                   GError **error)
{
  g_return_val_if_fail (kind < MLPD_KINDS, false);
  if (!can_write (w, kind, payload, error))
    return false;
  const size_t bound = mlpd_bound_event (kind, payload);
  if (bound > BOUND_MAX) {
    refuse_length (kind, bound, error);
    return false;
  }
  if (w->events->len >= MLPD_WRITER_BUFFER_BYTES && kind != MLPD_SAMPLE_COUNTERS)
    divide_buffer (w);
  const struct mlpd_encoder before = w->encoder;
  const guint start = w->events->len;
  g_byte_array_set_size (w->events, start + (guint) bound);
  const uint8_t *end = mlpd_put_event (&w->encoder, w->events->data + start, kind, payload);
  const size_t length = (size_t) (end - (w->events->data + start));
  const bool fits = length <= MLPD_WRITER_EVENT_MAX;
  g_byte_array_set_size (w->events, start + (fits ? (guint) length : 0));
  if (!fits) {
    w->encoder = before;
    refuse_length (kind, length, error);
  }
  return fits;
}
