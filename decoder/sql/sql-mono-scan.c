/* sql-mono-scan.c -- pulls events out of a Mono log, those that come in bulk without the reader. */
#include "config.h"

#include "decoder/mlpd/mlpd-bulk.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/sql/sql-mono-scan.h"
#include "decoder/views/mlpd/dump-names.h"

#define KIND(kind) (UINT64_C (1) << (kind))
/* Those that dump_announce_name takes. */
#define NAME_KINDS                                                                                 \
  (KIND (MLPD_METADATA_CLASS) | KIND (MLPD_METADATA_IMAGE) | KIND (MLPD_METADATA_VTABLE)           \
   | KIND (MLPD_METHOD_JIT))
#define BULK_KINDS (KIND (MLPD_METHOD_ENTER) | KIND (MLPD_METHOD_LEAVE) | KIND (MLPD_ALLOC))

/* Does the request leave out buffers by their headers? */
static bool
chooses_buffers (const struct sql_request *r)
{
  return r->has_thread || r->from != INT64_MIN || r->to != INT64_MAX || r->elapsed_from != INT64_MIN
         || r->elapsed_to != INT64_MAX;
}

static int64_t
add_bounded (int64_t a, uint64_t b)
{
  int64_t sum;
  return __builtin_add_overflow (a, b, &sum) ? (a < 0 ? INT64_MIN : INT64_MAX) : sum;
}

static void
set_first_time (struct sql_mono_scan *s, uint64_t time)
{
  const struct sql_request *r = s->request;
  s->has_first = true;
  s->first_time = time;
  s->from = r->from;
  s->to = r->to;
  if (r->elapsed_from != INT64_MIN)
    s->from = MAX (s->from, add_bounded (r->elapsed_from, time));
  if (r->elapsed_to != INT64_MAX)
    s->to = MIN (s->to, add_bounded (r->elapsed_to, time));
}

/* By its header, may the buffer hold requested events? */
static bool
suits_header (const struct sql_mono_scan *s, const struct indexed_buffer *b)
{
  const struct sql_request *r = s->request;
  return (!r->has_thread || b->thread == r->thread)
         && ((int64_t) b->time_base <= s->to || b->may_be_early)
         && (!b->has_next || (int64_t) b->next_base >= s->from);
}

/* Hits have a clock of their own. */
static bool
suits_times (const struct sql_mono_scan *s, const struct indexed_buffer *b)
{
  return (b->flags & BUFFER_HAS_HITS) != 0 || b->latest > INT64_MAX
         || ((int64_t) b->earliest <= s->to && (int64_t) b->latest >= s->from);
}

/* Damage is found, and counted, with and without the file of an index. */
static bool
is_needed (const void *data, guint n)
{
  const struct sql_mono_scan *s = data;
  const struct indexed_buffer *b = &g_array_index (s->index->buffers, struct indexed_buffer, n);
  const bool is_suited = suits_header (s, b);
  if (!s->whole && !is_suited)
    return false;
  if (!buffer_index_knows (s->index, n) || (b->flags & BUFFER_IS_DAMAGED) != 0
      || (s->kinds & SQL_KIND_BUFFERS) != 0)
    return true;
  return (s->symbols != NULL && (b->kinds & NAME_KINDS) != 0)
         || (is_suited && (b->kinds & s->kinds) != 0 && suits_times (s, b));
}

/* The index of a log of Mono that is open; NULL: it cannot be read anywhere, or, with
 * `only_cached`, there is no file of one beside it. */
static const struct buffer_index *
sql_log_index (struct sql_log *log, struct log_input *input, bool only_cached)
{
  if (log->index == NULL && !log->has_cached)
    log->index = buffer_index_read_cached (input);
  log->has_cached = true;
  if (log->index == NULL && !only_cached && !log->has_index)
    log->index = buffer_index_read (input);
  log->has_index |= !only_cached;
  return only_cached && log->index != NULL && log->index->cached == INDEX_NONE ? NULL : log->index;
}

bool
sql_mono_scan_init (struct sql_mono_scan *s, struct sql_log *log, const struct sql_request *request,
                    uint64_t kinds, bool whole, GError **error)
{
  *s = (struct sql_mono_scan){
    .log = log, .request = request, .kinds = kinds, .from = INT64_MIN, .to = INT64_MAX
  };
  s->input = sql_log_open (log, error);
  if (s->input == NULL)
    return false;
  s->reader = log_input_new_reader (s->input);
  s->whole = whole || !chooses_buffers (request);
  s->index = sql_log_index (log, s->input, s->whole);
  if (s->index != NULL) {
    buffer_skip_init (&s->skip, s->index, s->input, s->reader);
    s->skip.is_needed = is_needed;
    s->skip.data = s;
    if (s->index->buffers->len > 0)
      set_first_time (s, g_array_index (s->index->buffers, struct indexed_buffer, 0).time_base);
  }
  return true;
}

void
sql_mono_scan_clear (struct sql_mono_scan *s)
{
  if (s->reader != NULL)
    mlpd_reader_free (s->reader);
  if (s->input != NULL)
    log_input_close (s->input);
  buffer_skip_clear (&s->skip);
}

/* ---- the bytes ---- */

static bool
push_bytes (struct sql_mono_scan *s, GError **error)
{
  const uint8_t *bytes = s->skip.bytes;
  size_t length;
  if (s->index != NULL)
    length = buffer_skip_read (&s->skip);
  else if (!log_input_read (s->input, &bytes, &length, error))
    return false;
  s->read = s->index != NULL ? s->skip.at : s->read + length;
  sql_log_progress (s->log, s->read);
  if (length != 0)
    mlpd_reader_push (s->reader, bytes, length);
  else
    mlpd_reader_finish (s->reader);
  return true;
}

/* ---- events that come in bulk ---- */

static bool
is_requested_time (const struct sql_mono_scan *s, uint64_t time)
{
  return (int64_t) time >= s->from && (int64_t) time <= s->to;
}

/* A call or its end has the method at the same place. */
static bool
is_requested_method (const struct sql_mono_scan *s, enum mlpd_kind kind)
{
  G_STATIC_ASSERT (offsetof (struct mlpd_method_enter, method)
                   == offsetof (struct mlpd_method_leave, method));
  return !s->request->has_method || kind == MLPD_ALLOC
         || s->payload.method_enter.method == s->request->method;
}

static const struct mlpd_item *
next_of_span (struct sql_mono_scan *s)
{
  struct mlpd_span *const span = &s->span;
  struct mlpd_decoder *const d = span->decoder;
  struct mlpd_bases b = d->bases;
  const struct mlpd_item *found = NULL;
  const uint8_t *const begin = span->at;
  if ((s->kinds & BULK_KINDS) == 0)
    mlpd_span_skip_bulk (span);
  while ((s->kinds & BULK_KINDS) != 0 && span->at < span->end) {
    struct cursor cursor = cursor_over (span->at, (size_t) (span->end - span->at));
    const enum mlpd_kind kind = mlpd_get_bulk (&b, d, &cursor, &s->payload);
    if (kind == MLPD_KINDS)
      break;
    const uint64_t size = (uint64_t) (cursor.at - span->at);
    d->bases.time = b.time;
    d->bases.method = b.method;
    span->at = cursor.at;
    span->offset += size;
    if ((s->kinds & KIND (kind)) == 0)
      continue;
    s->time = mlpd_bulk_time (kind, &s->payload);
    if (!is_requested_time (s, s->time) || !is_requested_method (s, kind))
      continue;
    s->bulk.kind = kind;
    s->bulk.offset = span->offset - size;
    s->bulk.size = size;
    found = &s->bulk;
    break;
  }
  if (found == NULL && span->at != begin)
    s->time = d->bases.time;
  return found;
}

static void
begin_span (struct sql_mono_scan *s)
{
  s->in_span = mlpd_span_of (s->reader, &s->span);
}

static void
end_span (struct sql_mono_scan *s)
{
  mlpd_span_pass (s->reader, &s->span);
  s->in_span = false;
}

/* ---- items ---- */

/* Is the item of one of the kinds?  Its effect on the state is retained. */
static bool
take_item (struct sql_mono_scan *s, const struct mlpd_item *item)
{
  switch (item->type) {
  case MLPD_ITEM_FILE_HEADER:
    s->header = *item->header;
    return false;
  case MLPD_ITEM_BUFFER:
    if (!s->has_first)
      set_first_time (s, item->buffer->time_base);
    s->end_time = s->time;
    s->buffer = *item->buffer;
    s->time = item->buffer->time_base;
    s->bulk = (struct mlpd_item){
      .type = MLPD_ITEM_EVENT, .header = &s->header, .buffer = &s->buffer, .payload = &s->payload
    };
    if ((s->kinds & ~SQL_KIND_BUFFERS) == 0
        || (s->request->has_thread && item->buffer->thread != s->request->thread
            && s->symbols == NULL))
      mlpd_reader_skip_buffer (s->reader);
    return (s->kinds & SQL_KIND_BUFFERS) != 0;
  case MLPD_ITEM_DAMAGE:
    sql_log_add_damage (s->log, ++s->damages, item->damage->message);
    return (s->kinds & SQL_KIND_DAMAGE) != 0;
  case MLPD_ITEM_EVENT:
    break;
  }
  mlpd_event_time (item->kind, item->payload, &s->time);
  s->announces = s->symbols != NULL;
  return (s->kinds & KIND (item->kind)) != 0;
}

/* At the end: the damage of the compression, once. */
static const struct mlpd_item *
damage_of_input (struct sql_mono_scan *s)
{
  const struct log_file_damage *damage = s->has_input_damage ? NULL : log_input_damage (s->input);
  if (damage == NULL)
    return NULL;
  s->has_input_damage = true;
  sql_log_add_damage (s->log, ++s->damages, damage->message);
  s->input_damage = (struct mlpd_damage){
    .reason = damage->truncated ? MLPD_DAMAGE_TRUNCATED : MLPD_DAMAGE_CORRUPT,
    .message = damage->message,
  };
  s->bulk = (struct mlpd_item){ .type = MLPD_ITEM_DAMAGE,
                                .header = &s->header,
                                .damage = &s->input_damage };
  return (s->kinds & SQL_KIND_DAMAGE) != 0 ? &s->bulk : NULL;
}

/* A name counts from after the event that announces it. */
static void
announce (struct sql_mono_scan *s)
{
  if (s->announces)
    dump_announce_name (s->symbols, s->item->kind, s->item->payload);
  s->announces = false;
}

const struct mlpd_item *
sql_mono_scan_next (struct sql_mono_scan *s, GError **error)
{
  const struct mlpd_item *item;
  for (;;) {
    announce (s);
    if (s->in_span) {
      if ((item = next_of_span (s)) != NULL)
        return item;
      end_span (s);
    }
    switch (mlpd_reader_next (s->reader, &item)) {
    case PROFLOG_EVENT:
      s->item = item;
      if (take_item (s, item))
        return item;
      begin_span (s);
      break;
    case PROFLOG_NEED_MORE:
      if (!push_bytes (s, error))
        return NULL;
      begin_span (s);
      break;
    case PROFLOG_ERROR:
      g_propagate_error (error, g_error_copy (mlpd_reader_error (s->reader)));
      return NULL;
    case PROFLOG_END:
      return damage_of_input (s);
    }
  }
}

/* ---- names ---- */

/* An address that was announced with another name is another symbol from there on. */
static bool
names_change (const struct symbols *names)
{
  for (guint kind = 0; kind < SYMBOL_KINDS; kind++)
    if (names->all[kind]->len > g_hash_table_size (names->current[kind]))
      return true;
  return false;
}

bool
sql_log_read_names (struct sql_log *log, GError **error)
{
  static const struct sql_request all
      = { .from = INT64_MIN, .to = INT64_MAX, .elapsed_from = INT64_MIN, .elapsed_to = INT64_MAX };
  struct sql_mono_scan scan;
  const struct mlpd_item *item;
  GError *problem = NULL;
  if (log->has_names)
    return true;
  if (!sql_mono_scan_init (&scan, log, &all, NAME_KINDS, true, error))
    return false;
  symbols_init (&log->names);
  while ((item = sql_mono_scan_next (&scan, &problem)) != NULL)
    dump_announce_name (&log->names, item->kind, item->payload);
  scan.damages = 0; /* those that are of interest are found where events are read */
  sql_mono_scan_clear (&scan);
  log->has_names = problem == NULL;
  if (problem != NULL) {
    symbols_clear (&log->names);
    g_propagate_error (error, problem);
    return false;
  }
  log->names_change = names_change (&log->names);
  return true;
}
