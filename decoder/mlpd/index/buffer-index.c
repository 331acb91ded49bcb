/* buffer-index.c -- goes from header to header; reads and writes the file of an index. */
#include "config.h"

#include "decoder/mlpd/index/buffers.h"
#include "decoder/mlpd/mlpd-decode.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/mlpd/mlpd-origin.h"

/* ---- the file of an index ---- */

enum {
  RECORD_BYTES = 5 * 8 + 3 * 4,
  /* Among the flags of the file. */
  BEGINS_WITH_JIT = 1 << 16,
  IS_END_MARK = 1 << 17,
  /* Flags that follow from no other buffer. */
  OWN_FLAGS = BUFFER_HAS_NAMES | BUFFER_HAS_HITS | BUFFER_HAS_COUNTERS | BUFFER_ENDS_THREAD
              | BUFFER_IS_DAMAGED,
  /* Headers of buffers that are witnesses, besides the last one. */
  WITNESSES = 16,
};

/* No two tables of kinds have the same. */
static uint32_t
sum_of_kinds (void)
{
  uint32_t sum = MLPD_KINDS;
  for (unsigned kind = 0; kind < MLPD_KINDS; kind++)
    sum = sum * 31 + g_str_hash (mlpd_describe (kind)->name);
  return sum;
}

/* ---- reading ---- */

static struct indexed_buffer
get_buffer (struct cursor *c, uint64_t offset)
{
  struct indexed_buffer b = { .offset = offset };
  b.thread = cursor_u64 (c);
  b.time_base = cursor_u64 (c);
  b.earliest = cursor_u64 (c);
  b.latest = cursor_u64 (c);
  b.kinds = cursor_u64 (c);
  b.length = cursor_u32 (c);
  b.events = cursor_u32 (c);
  const uint32_t flags = cursor_u32 (c);
  b.begins_with_jit = (flags & BEGINS_WITH_JIT) != 0;
  b.is_end_mark = (flags & IS_END_MARK) != 0;
  b.flags = flags & OWN_FLAGS;
  return b;
}

/* False if they are not those of a log of this size. */
static bool
get_buffers (struct cursor *c, uint64_t at, uint64_t size, GArray *buffers)
{
  if (cursor_u32 (c) != sum_of_kinds () || cursor_u64 (c) != at
      || cursor_left (c) % RECORD_BYTES != 0 || c->error != CURSOR_OK)
    return false;
  while (cursor_left (c) != 0) {
    const struct indexed_buffer b = get_buffer (c, at);
    if (b.length > BUFFER_WHOLE_MAX || indexed_buffer_size (&b) > size - at)
      return false;
    at += indexed_buffer_size (&b);
    g_array_append_val (buffers, b);
  }
  return true;
}

/* The buffers that the file states, marked, in their order from the end of the log's header on:
 * struct indexed_buffer, without members that depend on their neighbours.  None if no file holds.
 */
static enum index_state
buffer_index_file_read (struct log_input *input, uint64_t header_length, GArray *buffers)
{
  GByteArray *content;
  enum index_state state = index_file_read (input, INDEX_KIND_MONO, &content);
  struct cursor c = cursor_over (content->data, content->len);
  if (state != INDEX_NONE && !get_buffers (&c, header_length, log_input_size (input), buffers)) {
    g_array_set_size (buffers, 0);
    state = INDEX_NONE;
  }
  g_byte_array_unref (content);
  return state;
}

/* ---- writing ---- */

static void
put_buffer (GByteArray *content, const struct indexed_buffer *b)
{
  index_put_u64 (content, b->thread);
  index_put_u64 (content, b->time_base);
  index_put_u64 (content, b->earliest);
  index_put_u64 (content, b->latest);
  index_put_u64 (content, b->kinds);
  index_put_u32 (content, b->length);
  index_put_u32 (content, b->events);
  index_put_u32 (content, (b->flags & OWN_FLAGS) | (b->begins_with_jit ? BEGINS_WITH_JIT : 0)
                              | (b->is_end_mark ? IS_END_MARK : 0));
}

static const struct indexed_buffer *
nth_buffer (const GArray *buffers, guint n)
{
  return &g_array_index (buffers, struct indexed_buffer, n);
}

static void
add_witness (GArray *witnesses, const struct indexed_buffer *b)
{
  const struct index_witness witness = { b->offset, MLPD_BUFFER_HEADER_SIZE };
  g_array_append_val (witnesses, witness);
}

/* The header of the log, and those of some buffers and of the last one. */
static GArray *
witnesses_of (uint64_t header_length, const GArray *buffers)
{
  GArray *witnesses = g_array_new (FALSE, FALSE, sizeof (struct index_witness));
  const struct index_witness header = { 0, (uint32_t) header_length };
  const guint n = buffers->len;
  g_array_append_val (witnesses, header);
  for (guint i = 0; i < n; i += n / WITNESSES + 1)
    add_witness (witnesses, nth_buffer (buffers, i));
  add_witness (witnesses, nth_buffer (buffers, n - 1));
  return witnesses;
}

bool
buffer_index_file_write (struct log_input *input, uint64_t header_length, const GArray *buffers,
                         GError **error)
{
  GByteArray *content = g_byte_array_new ();
  GArray *witnesses = witnesses_of (header_length, buffers);
  index_put_u32 (content, sum_of_kinds ());
  index_put_u64 (content, header_length);
  for (guint i = 0; i < buffers->len; i++)
    put_buffer (content, nth_buffer (buffers, i));
  const bool good = index_file_write (input, INDEX_KIND_MONO, witnesses, content, error);
  g_array_free (witnesses, TRUE);
  g_byte_array_unref (content);
  return good;
}

/* ---- the index ---- */

/* The stock profiler has a thread that announces methods some time after they were seen.  Its
 * buffers begin with such an event; only the first may begin with an event of the thread itself. */
#define BYTE_JIT (MLPD_TYPE_METHOD | 0x40)
#define FIRST_VERSION_WITH_ANNOUNCER 8

/* A file header's bytes at first, and at most. */
#define HEADER_BYTES ((size_t) 4096)
#define HEADER_BYTES_MAX ((size_t) 4 << 20)

static bool
read_header (struct buffer_index *index, struct log_input *input)
{
  enum cursor_error error = CURSOR_SHORT;
  for (size_t room = HEADER_BYTES; error == CURSOR_SHORT && room <= HEADER_BYTES_MAX; room *= 32) {
    uint8_t *bytes = g_malloc (room);
    const size_t n = log_input_read_at (input, 0, bytes, room);
    struct cursor c = cursor_over (bytes, n);
    mlpd_decode_file_header (&c, &index->header);
    error = c.error;
    if (error == CURSOR_OK) {
      index->header.has_byte_objects
          = index->header.data_version == 1 && log_input_has_byte_objects (input);
      index->header_length = (uint64_t) (c.at - bytes);
      index->alloc_sampling = mlpd_header_alloc_sampling (&index->header);
      index->arguments = g_strdup (index->header.arguments.text);
    }
    g_free (bytes);
    if (n < room)
      break;
  }
  index->header.arguments = index->header.architecture = index->header.operating_system
      = (struct mlpd_string){ 0 };
  return error == CURSOR_OK && index->header.id == MLPD_FILE_ID && index->header.data_version != 0
         && (index->header.pointer_size == 4 || index->header.pointer_size == 8);
}

/* The state of the index so far. */
struct index_read {
  struct buffer_index *index;
  GHashTable *latest;     /* uint64_t thread -> place of its latest buffer with events + 1 */
  GHashTable *announcers; /* uint64_t threads that announce methods late */
};

/* The buffer before in its thread ends where this one begins, unless its time base is not before
 * that, or it is one of several threads of the stock profiler's own: these share an id. */
static void
bound_buffer (struct indexed_buffer *before, const struct indexed_buffer *buffer)
{
  if (buffer->thread == 0 || before->time_base >= buffer->time_base)
    return;
  before->next_base = buffer->time_base;
  before->has_next = true;
}

/* Nothing is in an empty buffer, such as an end mark, that could be bounded or bound others. */
static void
add_buffer (struct index_read *r, struct indexed_buffer buffer)
{
  GArray *buffers = r->index->buffers;
  const guint before = GPOINTER_TO_UINT (g_hash_table_lookup (r->latest, &buffer.thread));
  buffer.is_first = buffer.may_be_early = before == 0;
  if (before != 0 && buffer.length != 0)
    bound_buffer (&g_array_index (buffers, struct indexed_buffer, before - 1), &buffer);
  g_array_append_val (buffers, buffer);
  if (buffer.length != 0)
    g_hash_table_replace (r->latest, g_memdup2 (&buffer.thread, sizeof buffer.thread),
                          GUINT_TO_POINTER (buffers->len));
  if (buffer.begins_with_jit)
    g_hash_table_add (r->announcers, g_memdup2 (&buffer.thread, sizeof buffer.thread));
}

/* Adds the buffers that the file beside the log states; returns where they end. */
static uint64_t
load_buffers (struct index_read *r, struct log_input *input)
{
  struct buffer_index *index = r->index;
  GArray *stated = g_array_new (FALSE, FALSE, sizeof (struct indexed_buffer));
  uint64_t end = index->header_length;
  index->cached = buffer_index_file_read (input, index->header_length, stated);
  for (guint i = 0; i < stated->len; i++) {
    const struct indexed_buffer *buffer = &g_array_index (stated, struct indexed_buffer, i);
    add_buffer (r, *buffer);
    end = buffer->offset + indexed_buffer_size (buffer);
  }
  index->marked = stated->len;
  g_array_free (stated, TRUE);
  return end;
}

/* Goes from header to header from `at` on; returns where there is none. */
static uint64_t
read_headers (struct index_read *r, struct log_input *input, uint64_t at, uint64_t size)
{
  uint8_t bytes[MLPD_BUFFER_HEADER_SIZE + 1]; /* and the first event's */
  size_t n;
  while ((n = log_input_read_at (input, at, bytes, sizeof bytes)) >= MLPD_BUFFER_HEADER_SIZE) {
    struct cursor c = cursor_over (bytes, MLPD_BUFFER_HEADER_SIZE);
    struct mlpd_buffer_header header;
    mlpd_decode_buffer_header (&c, &header);
    const struct indexed_buffer buffer = {
      .offset = at,
      .thread = header.thread,
      .time_base = header.time_base,
      .length = header.length,
      .is_end_mark = mlpd_is_end_mark (&header),
      .begins_with_jit = header.length != 0 && bytes[MLPD_BUFFER_HEADER_SIZE] == BYTE_JIT,
    };
    const uint64_t end = at + indexed_buffer_size (&buffer);
    if (!buffer_is_plain (&header) || end > size)
      break;
    add_buffer (r, buffer);
    at = end;
  }
  return at;
}

static void
read_buffers (struct buffer_index *index, struct log_input *input, uint64_t size, bool only_cached)
{
  struct index_read r = { .index = index };
  r.latest = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  r.announcers = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  index->end = load_buffers (&r, input);
  if (!only_cached || index->cached != INDEX_NONE)
    index->end = read_headers (&r, input, index->end, size);
  index->whole = index->end == size;
  /* Our writer has such a thread, too; before, each announced its own names. */
  const bool has_announcer = index->header.data_version >= FIRST_VERSION_WITH_ANNOUNCER
                             || mlpd_header_is_ours (&index->header);
  for (guint i = 0; i < index->buffers->len; i++) {
    struct indexed_buffer *buffer = &g_array_index (index->buffers, struct indexed_buffer, i);
    const bool begins_so = g_hash_table_contains (r.announcers, &buffer->thread);
    buffer->may_be_early |= begins_so;
    buffer->announces = begins_so && has_announcer;
  }
  g_hash_table_destroy (r.latest);
  g_hash_table_destroy (r.announcers);
}

static struct buffer_index *
read_index (struct log_input *input, bool only_cached)
{
  const uint64_t size = log_input_size (input);
  if (size == 0)
    return NULL;
  struct buffer_index *index = g_new0 (struct buffer_index, 1);
  index->buffers = g_array_new (FALSE, FALSE, sizeof (struct indexed_buffer));
  if (read_header (index, input))
    read_buffers (index, input, size, only_cached);
  if (index->buffers->len != 0)
    return index;
  buffer_index_free (index);
  return NULL;
}

struct buffer_index *
buffer_index_read (struct log_input *input)
{
  return read_index (input, false);
}

struct buffer_index *
buffer_index_read_cached (struct log_input *input)
{
  return read_index (input, true);
}

void
buffer_index_free (struct buffer_index *index)
{
  if (index == NULL)
    return;
  g_array_free (index->buffers, TRUE);
  g_free (index->arguments);
  g_free (index);
}

const struct indexed_buffer *
buffer_index_find (const struct buffer_index *index, uint64_t offset)
{
  guint low = 0, high = index->buffers->len;
  while (low < high) {
    const guint middle = low + (high - low) / 2;
    const struct indexed_buffer *buffer
        = &g_array_index (index->buffers, struct indexed_buffer, middle);
    if (buffer->offset == offset)
      return buffer;
    if (buffer->offset < offset)
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

static bool
last_time_of (const struct indexed_buffer *buffer, struct mlpd_decoder *decoder,
              struct log_input *input, uint64_t *last)
{
  const size_t size = (size_t) indexed_buffer_size (buffer);
  uint8_t *bytes = g_malloc (size);
  bool good = log_input_read_at (input, buffer->offset, bytes, size) == size;
  struct cursor c = cursor_over (bytes, size);
  struct mlpd_buffer_header header;
  if (good) {
    mlpd_decode_buffer_header (&c, &header);
    mlpd_decoder_start_buffer (decoder, &header);
  }
  while (good && c.at < c.end) {
    enum mlpd_kind kind;
    uint64_t time = decoder->bases.time;
    good = mlpd_decode_event (decoder, &c, &kind) == MLPD_DECODED;
    if (good) {
      mlpd_event_time (kind, &decoder->payload, &time);
      if (kind != MLPD_SAMPLE_HIT) /* see scan_event */
        decoder->bases.time = time;
      *last = MAX (*last, decoder->bases.time);
    }
  }
  g_free (bytes);
  return good;
}

/* Those that nothing bounds go first: the others are most often bounded by their times. */
bool
buffer_index_last_time (const struct buffer_index *index, struct log_input *input, uint64_t *last)
{
  struct mlpd_decoder decoder = { 0 };
  bool good = index->whole;
  mlpd_decoder_start_file (&decoder, &index->header);
  *last = 0;
  for (int bounded = 0; bounded <= 1; bounded++)
    for (guint i = 0; i < index->buffers->len && good; i++) {
      const struct indexed_buffer *b = &g_array_index (index->buffers, struct indexed_buffer, i);
      if (b->has_next != (bounded != 0) || (b->has_next && b->next_base <= *last))
        continue;
      if (!buffer_index_knows (index, i))
        good = last_time_of (b, &decoder, input, last);
      else if ((b->flags & BUFFER_IS_DAMAGED) == 0)
        *last = MAX (*last, b->latest);
      else
        good = false;
    }
  mlpd_decoder_clear (&decoder);
  return good;
}
