/* ghc-call-stacks.c -- reads the messages of ghc-stack-profiler, and names their frames. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-call-stacks.h"
#include <proflog/big-endian.h>
#include <string.h>

enum { LAST_PART = 0xffca, PART, TEXT, PLACE };
enum { FRAME_TABLE = 1, FRAME_TEXT, FRAME_PLACED };

struct place {
  uint64_t text; /* the name of the file */
  uint32_t row, column;
};

static void
free_frames (gpointer data)
{
  g_array_unref (data);
}

void
ghc_call_stacks_init (struct ghc_call_stacks *s)
{
  *s = (struct ghc_call_stacks){
    .table_keys = g_array_new (FALSE, FALSE, sizeof (uint64_t)),
    .mark_keys = g_array_new (FALSE, FALSE, sizeof (uint64_t)),
    .texts = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free),
    .places = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free),
    .parts = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, free_frames),
    .frames = g_array_new (FALSE, FALSE, sizeof (uint32_t)),
  };
  id_map_init (&s->tables);
  id_map_init (&s->marks);
}

void
ghc_call_stacks_clear (struct ghc_call_stacks *s)
{
  id_map_clear (&s->tables);
  id_map_clear (&s->marks);
  g_array_unref (s->table_keys);
  g_array_unref (s->mark_keys);
  g_hash_table_unref (s->texts);
  g_hash_table_unref (s->places);
  g_hash_table_unref (s->parts);
  g_array_unref (s->frames);
  for (guint i = 0; i < GHC_CALL_STACKS_RECENT; i++)
    if (s->recent[i] != NULL)
      g_array_unref (s->recent[i]);
}

void
ghc_call_stacks_rewind (struct ghc_call_stacks *s)
{
  g_hash_table_remove_all (s->parts);
}

static unsigned
kind_of (const struct ghc_text *message)
{
  return message->length >= 2 ? proflog_be16 ((const uint8_t *) message->text) : 0;
}

bool
ghc_call_stacks_has (const struct ghc_text *message)
{
  const unsigned kind = kind_of (message);
  return kind >= LAST_PART && kind <= PLACE;
}

/* ---- frames ---- */

static uint32_t
number_of (struct id_map *map, GArray *keys, uint64_t key)
{
  const guint number = id_map_number (map, key);
  if (number == keys->len)
    g_array_append_val (keys, key);
  return number;
}

/* The number of a mark: texts and places are counted from 0, and are never as many as 2^32. */
static bool
number_mark (struct ghc_call_stacks *s, uint64_t text, uint64_t place, uint32_t *frame)
{
  if (text > G_MAXUINT32 || place > G_MAXUINT32)
    return false;
  *frame = number_of (&s->marks, s->mark_keys, place << 32 | text) << 1 | 1;
  return true;
}

/* Reads a frame, and moves on; false if it is damaged. */
static bool
read_frame (struct ghc_call_stacks *s, const uint8_t **at, const uint8_t *end, uint32_t *frame)
{
  const uint8_t *p = *at;
  if (end - p < 9)
    return false;
  const uint64_t id = proflog_be64 (p + 1);
  *at = p + 9;
  if (*p == FRAME_TABLE) {
    *frame = number_of (&s->tables, s->table_keys, id) << 1;
    return true;
  }
  if (*p == FRAME_TEXT)
    return number_mark (s, id, 0, frame);
  if (*p != FRAME_PLACED || end - *at < 8)
    return false;
  const uint64_t place = proflog_be64 (*at);
  *at += 8;
  return place < G_MAXUINT32 && number_mark (s, id, place + 1, frame);
}

/* Appends the frames of a message; false if it is damaged. */
static bool
read_frames (struct ghc_call_stacks *s, const uint8_t *at, const uint8_t *end, GArray *frames)
{
  const unsigned n = proflog_be16 (at);
  const guint first = frames->len;
  guint i = 0;
  at += 2;
  g_array_set_size (frames, first + n);
  while (i < n && read_frame (s, &at, end, &g_array_index (frames, uint32_t, first + i)))
    i++;
  g_array_set_size (frames, first + i);
  return i == n;
}

/* ---- the order of frames ---- */

static uint32_t
frame_at (const GArray *frames, guint at)
{
  return g_array_index (frames, uint32_t, at);
}

/* Counts the frames that a stack shares with the one before of its thread. */
static void
judge (struct ghc_call_stacks *s, uint32_t thread, const GArray *frames)
{
  GArray **recent = &s->recent[thread % GHC_CALL_STACKS_RECENT];
  if (*recent == NULL)
    *recent = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  const GArray *before = *recent;
  const guint most = MIN (before->len, frames->len);
  guint first = 0, last = 0;
  while (first < most && frame_at (before, first) == frame_at (frames, first))
    first++;
  while (last < most
         && frame_at (before, before->len - 1 - last) == frame_at (frames, frames->len - 1 - last))
    last++;
  s->first_shared += first;
  s->last_shared += last;
  g_array_set_size (*recent, 0);
  if (frames->len != 0)
    g_array_append_vals (*recent, frames->data, frames->len);
}

static bool
is_main (const struct ghc_call_stacks *s, const struct ghc_provenances *provenances, uint32_t frame)
{
  g_autofree char *name = ghc_call_stacks_name (s, provenances, frame);
  return strcmp (name, "main") == 0 || g_str_has_suffix (name, ".main");
}

bool
ghc_call_stacks_begin_innermost (const struct ghc_call_stacks *s,
                                 const struct ghc_provenances *provenances)
{
  guint first = 0, last = 0;
  if (s->first_shared != s->last_shared)
    return s->first_shared < s->last_shared;
  for (guint i = 0; i < GHC_CALL_STACKS_RECENT; i++)
    if (s->recent[i] != NULL && s->recent[i]->len != 0) {
      first += is_main (s, provenances, frame_at (s->recent[i], 0));
      last += is_main (s, provenances, frame_at (s->recent[i], s->recent[i]->len - 1));
    }
  return last > first;
}

/* ---- messages ---- */

/* The frames that parts of this stack had; NULL: there are none. */
static GArray *
take_parts (struct ghc_call_stacks *s, uint64_t key)
{
  gpointer stored, frames;
  if (g_hash_table_size (s->parts) == 0
      || !g_hash_table_steal_extended (s->parts, &key, &stored, &frames))
    return NULL;
  g_free (stored);
  return frames;
}

static void
add_part (struct ghc_call_stacks *s, uint64_t key, const uint8_t *at, const uint8_t *end)
{
  GArray *frames = take_parts (s, key);
  if (frames == NULL)
    frames = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  s->damaged += !read_frames (s, at, end, frames);
  if (frames->len > GHC_CALL_STACK_FRAMES_MAX)
    g_array_set_size (frames, GHC_CALL_STACK_FRAMES_MAX);
  g_hash_table_insert (s->parts, g_memdup2 (&key, sizeof key), frames);
}

/* True if the stack counts. */
static bool
end_stack (struct ghc_call_stacks *s, uint64_t key, const uint8_t *at, const uint8_t *end)
{
  GArray *parts = take_parts (s, key);
  if (parts != NULL) {
    g_array_unref (s->frames);
    s->frames = parts;
  } else {
    g_array_set_size (s->frames, 0);
  }
  if (!read_frames (s, at, end, s->frames)) {
    s->damaged++;
    return false;
  }
  if (s->frames->len > GHC_CALL_STACK_FRAMES_MAX) {
    g_array_set_size (s->frames, GHC_CALL_STACK_FRAMES_MAX);
    s->cut++;
  }
  s->in_parts += parts != NULL;
  if (s->stacks++ < GHC_CALL_STACKS_JUDGED)
    judge (s, (uint32_t) key, s->frames);
  return true;
}

static bool
add_text (struct ghc_call_stacks *s, const uint8_t *at, size_t length)
{
  if (length < 10 || proflog_be16 (at + 8) > length - 10)
    return false;
  const uint64_t text = proflog_be64 (at);
  g_hash_table_replace (s->texts, g_memdup2 (&text, sizeof text),
                        g_strndup ((const char *) at + 10, proflog_be16 (at + 8)));
  return true;
}

static bool
add_place (struct ghc_call_stacks *s, const uint8_t *at, size_t length)
{
  if (length < 24)
    return false;
  const uint64_t number = proflog_be64 (at);
  const struct place place = { .text = proflog_be64 (at + 16),
                               .row = proflog_be32 (at + 8),
                               .column = proflog_be32 (at + 12) };
  g_hash_table_replace (s->places, g_memdup2 (&number, sizeof number),
                        g_memdup2 (&place, sizeof place));
  return true;
}

bool
ghc_call_stacks_add (struct ghc_call_stacks *s, unsigned writer, const struct ghc_text *message,
                     struct ghc_call_stack *stack)
{
  const unsigned kind = kind_of (message);
  const uint8_t *at = (const uint8_t *) message->text + 2, *end = at + (message->length - 2);
  const size_t length = message->length - 2;
  if (kind == TEXT || kind == PLACE) {
    s->damaged += kind == TEXT ? !add_text (s, at, length) : !add_place (s, at, length);
    return false;
  }
  if (length < 10) {
    s->damaged++;
    return false;
  }
  const uint32_t cap = proflog_be32 (at), thread = proflog_be32 (at + 4);
  const uint64_t key = (uint64_t) writer << 32 | thread;
  if (kind == PART)
    add_part (s, key, at + 8, end);
  else if (end_stack (s, key, at + 8, end)) {
    *stack = (struct ghc_call_stack){ .cap = cap,
                                      .thread = thread,
                                      .frames = (const uint32_t *) (void *) s->frames->data,
                                      .count = s->frames->len };
    return true;
  }
  return false;
}

unsigned
ghc_call_stacks_incomplete (const struct ghc_call_stacks *s)
{
  return g_hash_table_size (s->parts);
}

/* ---- names ---- */

static bool
is_mark (uint32_t frame)
{
  return (frame & 1) != 0;
}

static uint64_t
key_of (const struct ghc_call_stacks *s, uint32_t frame)
{
  return g_array_index (is_mark (frame) ? s->mark_keys : s->table_keys, uint64_t, frame >> 1);
}

static const struct ghc_provenance *
provenance_of (const struct ghc_call_stacks *s, const struct ghc_provenances *provenances,
               uint32_t frame)
{
  return is_mark (frame) ? NULL : ghc_provenances_find (provenances, key_of (s, frame));
}

const char *
ghc_call_stacks_kind (uint32_t frame)
{
  return is_mark (frame) ? "annotation" : "info-table";
}

/* The text of an annotation, or NULL. */
static const char *
text_of (const struct ghc_call_stacks *s, uint32_t frame)
{
  const uint64_t text = key_of (s, frame) & G_MAXUINT32;
  return is_mark (frame) ? g_hash_table_lookup (s->texts, &text) : NULL;
}

bool
ghc_call_stacks_names (const struct ghc_call_stacks *s, const struct ghc_provenances *provenances,
                       uint32_t frame)
{
  return provenance_of (s, provenances, frame) != NULL || text_of (s, frame) != NULL;
}

char *
ghc_call_stacks_name (const struct ghc_call_stacks *s, const struct ghc_provenances *provenances,
                      uint32_t frame)
{
  const struct ghc_provenance *p = provenance_of (s, provenances, frame);
  const char *text = text_of (s, frame);
  if (p != NULL)
    return g_strdup_printf ("%s.%s", p->module, *p->label != '\0' ? p->label : p->name);
  if (text != NULL)
    return g_strdup (text);
  return is_mark (frame)
             ? g_strdup_printf ("text %" G_GUINT64_FORMAT, key_of (s, frame) & G_MAXUINT32)
             : g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", key_of (s, frame));
}

const char *
ghc_call_stacks_module (const struct ghc_call_stacks *s, const struct ghc_provenances *provenances,
                        uint32_t frame)
{
  const struct ghc_provenance *p = provenance_of (s, provenances, frame);
  return p != NULL ? p->module : NULL;
}

char *
ghc_call_stacks_location (const struct ghc_call_stacks *s,
                          const struct ghc_provenances *provenances, uint32_t frame)
{
  const struct ghc_provenance *p = provenance_of (s, provenances, frame);
  if (p != NULL)
    return g_strdup (p->location);
  const uint64_t number = is_mark (frame) ? (key_of (s, frame) >> 32) - 1 : UINT64_MAX;
  const struct place *place = g_hash_table_lookup (s->places, &number);
  const char *file = place != NULL ? g_hash_table_lookup (s->texts, &place->text) : NULL;
  return file != NULL ? g_strdup_printf ("%s:%u:%u", file, place->row, place->column) : NULL;
}
