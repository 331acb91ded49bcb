/* mlpd-writer.c -- writes headers, buffers and events of Mono logs. */
#include "config.h"

#include "decoder/mlpd/mlpd-describe.h"
#include <proflog/mlpd-encode.h>
#include <proflog/mlpd-writer.h>
#include <string.h>

/* ---- values that are read back as they are ---- */

/* Here, as this file is below the writer, which reports the same errors. */
G_DEFINE_QUARK (mlpd - writer - error - quark, mlpd_writer_error)

/* The field that is checked, and the error. */
struct check {
  const char *event;
  const char *field;
  unsigned version;
  uint64_t address_max;
  GError **error;
};

static bool
fits (const struct check *c, uint64_t value, uint64_t most)
{
  if (value <= most)
    return true;
  g_set_error (c->error, MLPD_WRITER_ERROR, MLPD_WRITER_ERROR_VALUE,
               "the field '%s' of an event '%s' is %" G_GUINT64_FORMAT
               "; data version %u has room for at most %" G_GUINT64_FORMAT,
               c->field, c->event, value, c->version, most);
  return false;
}

static bool
refuse (const struct check *c, const char *why)
{
  g_set_error (c->error, MLPD_WRITER_ERROR, MLPD_WRITER_ERROR_VALUE,
               "the field '%s' of an event '%s' %s", c->field, c->event, why);
  return false;
}

/* Whether an event may have this number of items.  More of them need too many bytes, which have to
 * be allocated first. */
static bool
can_have (const struct check *c, size_t count)
{
  if (count <= MLPD_WRITER_EVENT_MAX)
    return true;
  g_set_error (c->error, MLPD_WRITER_ERROR, MLPD_WRITER_ERROR_TOO_LONG,
               "the field '%s' of an event '%s' has %" G_GSIZE_FORMAT " items; there may be %u",
               c->field, c->event, count, MLPD_WRITER_EVENT_MAX);
  return false;
}

static bool
is_text (const struct check *c, struct mlpd_string text)
{
  if (!can_have (c, text.length))
    return false;
  if (text.length != 0 && memchr (text.text, 0, text.length) != NULL)
    return refuse (c, "has a NUL in its text");
  return true;
}

static bool
is_address (const struct check *c, uint64_t address)
{
  return fits (c, address, c->address_max);
}

static bool
is_object (const struct check *c, uint64_t object)
{
  if (object % 8 != 0)
    return refuse (c, "has an object whose address is no multiple of 8");
  return is_address (c, object);
}

static bool
is_list (const struct check *c, const uint64_t *items, size_t count,
         bool (*is_item) (const struct check *c, uint64_t item))
{
  bool good = can_have (c, count);
  for (size_t i = 0; good && i < count; i++)
    good = is_item (c, items[i]);
  return good;
}

static bool
is_references (const struct check *c, const struct mlpd_references *references)
{
  if (references->count != 0 && references->offsets == NULL
      && c->version >= MLPD_VERSION_REFERENCE_OFFSETS)
    return refuse (c, "has no offsets of its references");
  return is_list (c, references->items, references->count, is_object);
}

static bool
is_roots (const struct check *c, const struct mlpd_roots *roots)
{
  bool good = can_have (c, roots->count);
  for (size_t i = 0; good && i < roots->count; i++)
    good = is_object (c, roots->items[i].object)
           && (c->version >= MLPD_VERSION_ROOT_ADDRESSES
                   ? is_address (c, roots->items[i].address)
                   : c->version != MLPD_VERSION_NO_FLAGS || fits (c, roots->items[i].type, 255));
  return good;
}

static bool
is_frames (const struct check *c, const struct mlpd_frames *frames)
{
  bool good = can_have (c, frames->count);
  for (size_t i = 0; good && i < frames->count; i++)
    good = is_address (c, frames->items[i].method);
  return good;
}

/* Types, units and variances. */
static uint64_t
counter_number_max (const struct check *c)
{
  return c->version == 13 || c->version == 14 ? 255 : UINT64_MAX;
}

static bool
is_counters (const struct check *c, const struct mlpd_counters *counters)
{
  const uint64_t most = counter_number_max (c);
  bool good = can_have (c, counters->count);
  for (size_t i = 0; good && i < counters->count; i++) {
    const struct mlpd_counter *counter = &counters->items[i];
    good = is_text (c, counter->name) && is_text (c, counter->section_name)
           && fits (c, counter->type, most) && fits (c, counter->unit, most)
           && fits (c, counter->variance, most);
  }
  return good;
}

static bool
is_counter_values (const struct check *c, const struct mlpd_counter_values *values)
{
  bool good = can_have (c, values->count);
  for (size_t i = 0; good && i < values->count; i++) {
    const struct mlpd_counter_value *value = &values->items[i];
    if (value->index == 0)
      return refuse (c, "has a counter 0, which ends the list");
    good = fits (c, value->type, MLPD_COUNTER_TYPE_TIME_INTERVAL) && is_text (c, value->text);
  }
  return good;
}

/* A larger size is damage (see MLPD_WIRE_SIZE). */
static bool
check_number (const struct check *c, enum mlpd_wire wire, uint64_t value)
{
  switch (wire) {
  case MLPD_WIRE_SIZE:
    return fits (c, value, MLPD_SIZE_MAX);
  case MLPD_WIRE_SMALL:
  case MLPD_WIRE_HELPER_TYPE: /* 255 is "unknown" in all versions */
    return fits (c, value, c->version < MLPD_VERSION_NO_FLAGS ? UINT64_MAX - 1 : 255);
  case MLPD_WIRE_MONITOR_EVENT:
    return fits (c, value, c->version < MLPD_VERSION_MONITOR_BYTE ? 3 : 255);
  case MLPD_WIRE_EXINFO:
    return (value & ~UINT64_C (0xf0)) == 0 || refuse (c, "has no such value");
  case MLPD_WIRE_PTR:
  case MLPD_WIRE_BINARY_ADDRESS:
  case MLPD_WIRE_METHOD:
    return is_address (c, value);
  case MLPD_WIRE_OBJ:
    return is_object (c, value);
  default:
    return true;
  }
}

static bool
check_field (const struct check *c, enum mlpd_wire wire, const void *value)
{
  switch (wire) {
  case MLPD_WIRE_U8:
  case MLPD_WIRE_U16:
  case MLPD_WIRE_U32:
    return true;
  case MLPD_WIRE_STR32:
  case MLPD_WIRE_STRZ:
  case MLPD_WIRE_HELPER_NAME:
    return is_text (c, *(const struct mlpd_string *) value);
  case MLPD_WIRE_BACKTRACE:
  case MLPD_WIRE_PTRS: {
    const struct mlpd_list *list = value;
    return is_list (c, list->items, list->count, is_address);
  }
  case MLPD_WIRE_OBJS: {
    const struct mlpd_list *list = value;
    return is_list (c, list->items, list->count, is_object);
  }
  case MLPD_WIRE_REFS:
    return is_references (c, value);
  case MLPD_WIRE_ROOTS:
    return is_roots (c, value);
  case MLPD_WIRE_FRAMES:
    return is_frames (c, value);
  case MLPD_WIRE_COUNTERS:
    return is_counters (c, value);
  case MLPD_WIRE_COUNTER_VALUES:
    return is_counter_values (c, value);
  default:
    return check_number (c, wire, *(const uint64_t *) value);
  }
}

/* Of an event that the data version has.  False with MLPD_WRITER_ERROR VALUE or TOO_LONG if a
 * reader would return other values. */
static bool
mlpd_check_values (enum mlpd_kind kind, const union mlpd_payload *payload, unsigned version,
                   uint8_t pointer_size, GError **error)
{
  const struct mlpd_description *description = mlpd_describe (kind);
  struct check c = { .event = description->name,
                     .version = version,
                     .address_max = pointer_size == 4 ? UINT32_MAX : UINT64_MAX,
                     .error = error };
  bool good = true;
  for (size_t i = 0; good && i < description->n_fields; i++) {
    const struct mlpd_field *field = &description->fields[i];
    c.field = field->name;
    if (version >= field->when.since && version <= field->when.until)
      good = check_field (&c, field->wire, (const char *) payload + field->offset);
  }
  return good;
}

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
