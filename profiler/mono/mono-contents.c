/* mono-contents.c -- contents of strings and collections of heap snapshots, as values of counters.
 *
 * A string is looked up among all before it, by a hash of 64 bits of its characters, in a table of
 * the walk's own.  The first that has a text gets a place there and nothing in the log, as most
 * texts are there once; the second gives the text a number.  So each snapshot is complete by
 * itself: files that are rotated, cut or kept need no other's texts.
 *
 * The values are collected in a record without an object (object-ring.h): pairs of a value and, in
 * place of an offset, its index.  So it comes through the ring of a child that walks, too.
 */
#include "config.h"

#include "profiler/mono/mono-private.h"
#include <sys/mman.h>

enum {
  SLOTS_LEAST = 1 << 16,
  SLOTS_MOST = 1 << 23, /* 128 MiB */
  SLOTS_KEPT = 1 << 20, /* for the next walk, at most: new memory costs ten times as much */
  WAITING = 16,         /* some times the latency of memory */
  WITHOUT = 1024,       /* classes of which nothing is noted, and that are known at once */
  TEXT_BYTES = 3 * MLPD_CONTENTS_TEXT_LENGTH,
  ENTRY_PAIRS = 8 + TEXT_BYTES / 8, /* of an object and all that is noted with it, at most */
};

/* A text. */
struct text_slot {
  uint64_t hash;  /* 0: the slot is free */
  uint64_t state; /* the string that has it, an address; or a number of the text * 2 + 1 */
};

/* Strings that wait until their slot is in the cache. */
struct waiting_string {
  uint64_t object, hash;
};

/* Found when the runtime has started.  The class is set last; NULL: not yet. */
static _Atomic (MonoClass *) string_class;
static uint32_t length_at, chars_at;

/* Of a walk, of which there is one at a time. */
static struct {
  MonoClass *string_class;
  bool has_strings, has_collections, has_tasks;
  struct text_slot *slots;
  size_t size;
  uint64_t strings, texts, unread, collections;
  uint64_t texts_before; /* in the last walk, which most likely has as many */
  uint64_t last_id;
  struct waiting_string waiting[WAITING];
  unsigned next;               /* of these, in turn */
  uint64_t base;               /* the object of the last distance in the record */
  MonoClass *without[WITHOUT]; /* classes of which nothing is noted, by hash: most objects */
  struct object_record record;
} walk;

/* ---- when the world runs ---- */

static bool
is_wanted (void)
{
  return profiler.options.heapshot_strings || profiler.options.heapshot_collections;
}

void
contents_learn (void)
{
  if (!is_wanted () || recorder_is_eventlog || mono_class_get_fields == NULL
      || mono_field_get_flags == NULL || mono_field_get_name == NULL
      || mono_field_get_offset == NULL || state_runtime_ends ())
    return;
  MonoClass *const klass = mono_get_string_class ();
  length_at = collections_find_field (klass, "m_stringLength _stringLength length");
  chars_at = collections_find_field (klass, "m_firstChar _firstChar start_char");
  atomic_store (&string_class, klass);
  static const char *const images[] = { "System.Core", "System" };
  collections_learn (mono_class_get_image (klass));
  for (size_t i = 0; i < sizeof images / sizeof *images && mono_image_loaded != NULL; i++) {
    MonoImage *const image = mono_image_loaded (images[i]);
    if (image != NULL)
      collections_learn (image);
  }
}

/* ---- notes ---- */

static void
put (uint64_t index, uint64_t value)
{
  walk.record.references[walk.record.count] = value;
  walk.record.offsets[walk.record.count++] = index;
}

/* The distances of a record begin anew, as records are events. */
static bool
flush (bool (*use) (const struct object_record *))
{
  const bool good = walk.record.count == 0 || use (&walk.record);
  walk.record.count = 0;
  walk.base = 0;
  return good;
}

static bool
make_room (bool (*use) (const struct object_record *))
{
  return walk.record.count + ENTRY_PAIRS <= OBJECT_RECORD_REFERENCES || flush (use);
}

static void
put_object (uint64_t object)
{
  put (MLPD_CONTENTS_INDEX, (uint64_t) ((int64_t) (object - walk.base) / MLPD_CONTENTS_STEP));
  walk.base = object;
}

/* ---- strings ---- */

static uint32_t
length_of (uint64_t string)
{
  const int32_t length = *(const int32_t *) (uintptr_t) (string + length_at);
  return length > 0 ? (uint32_t) length : 0;
}

static const uint8_t *
chars_of (uint64_t string)
{
  return (const uint8_t *) (uintptr_t) (string + chars_at);
}

static uint64_t
mix (uint64_t hash, uint64_t word)
{
  hash = (hash ^ word) * UINT64_C (0x9E3779B97F4A7C15);
  return hash ^ hash >> 29;
}

/* Reads the last bytes of a text, of which there are fewer than two words and an even number; some
 * of them twice, where that is quicker. */
static void
read_rest (const uint8_t *at, size_t bytes, uint64_t words[2])
{
  uint32_t halves[2];
  words[0] = words[1] = 0;
  if (bytes >= sizeof *words) {
    memcpy (&words[0], at, sizeof *words);
    memcpy (&words[1], at + bytes - sizeof *words, sizeof *words);
  } else if (bytes >= sizeof *halves) {
    memcpy (&halves[0], at, sizeof *halves);
    memcpy (&halves[1], at + bytes - sizeof *halves, sizeof *halves);
    words[0] = halves[0];
    words[1] = halves[1];
  } else if (bytes != 0) {
    memcpy (&words[0], at, sizeof (uint16_t));
  }
}

/* Two words at a time, as each waits for the one before.  The lowest bit is set. */
static uint64_t
hash_of (uint64_t string)
{
  const uint8_t *at = chars_of (string);
  size_t bytes = (size_t) length_of (string) * 2;
  uint64_t words[2], even = bytes, odd = ~even;
  for (; bytes >= sizeof words; bytes -= sizeof words, at += sizeof words) {
    memcpy (words, at, sizeof words);
    even = mix (even, words[0]);
    odd = mix (odd, words[1]);
  }
  read_rest (at, bytes, words);
  const uint64_t hash = mix (mix (even, words[0]), mix (odd, words[1]));
  return (hash ^ hash >> 32) | 1;
}

/* The slot of the text, or the free one where it belongs. */
static struct text_slot *
find_slot (uint64_t hash)
{
  for (size_t i = (size_t) (hash >> 1);; i++) {
    struct text_slot *const slot = &walk.slots[i & (walk.size - 1)];
    if (slot->hash == 0 || slot->hash == hash)
      return slot;
  }
}

static void
move_slots (const struct text_slot *from, size_t size)
{
  for (size_t i = 0; i < size; i++)
    if (from[i].hash != 0)
      *find_slot (from[i].hash) = from[i];
}

/* Huge pages, where there are any: the slots of a walk are all over the table. */
static struct text_slot *
map_slots (size_t size)
{
  void *const memory = mmap (NULL, size * sizeof (struct text_slot), PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return NULL;
  madvise (memory, size * sizeof (struct text_slot), MADV_HUGEPAGE);
  return memory;
}

/* Room for one more text. */
static bool
grow (void)
{
  if ((walk.texts + 1) * 2 <= walk.size)
    return true;
  size_t size = walk.size != 0 ? walk.size * 2 : SLOTS_LEAST;
  while (walk.size == 0 && size < 2 * walk.texts_before && size < SLOTS_MOST)
    size *= 2;
  struct text_slot *const slots = size <= SLOTS_MOST ? map_slots (size) : NULL;
  if (slots == NULL)
    return false;
  struct text_slot *const before = walk.slots;
  const size_t size_before = walk.size;
  walk.slots = slots;
  walk.size = size;
  move_slots (before, size_before);
  if (before != NULL)
    munmap (before, size_before * sizeof *before);
  return true;
}

/* The next character in UTF-8; U+FFFD for an invalid one, or one that ends texts. */
static size_t
put_char (char *to, const uint16_t *chars, size_t n, size_t *used)
{
  uint32_t c = chars[0];
  const bool is_pair
      = c >= 0xd800 && c < 0xdc00 && n > 1 && chars[1] >= 0xdc00 && chars[1] < 0xe000;
  *used = is_pair ? 2 : 1;
  if (is_pair)
    c = 0x10000 + ((c - 0xd800) << 10) + (chars[1] - 0xdc00U);
  else if (c == 0 || (c >= 0xd800 && c < 0xe000))
    c = 0xfffd;
  if (c < 0x80) {
    to[0] = (char) c;
    return 1;
  }
  if (c < 0x800) {
    to[0] = (char) (0xc0 | c >> 6);
    to[1] = (char) (0x80 | (c & 0x3f));
    return 2;
  }
  const size_t bytes = c < 0x10000 ? 3 : 4;
  to[0] = (char) (bytes == 3 ? 0xe0 | c >> 12 : 0xf0 | c >> 18);
  for (size_t i = 1; i < bytes; i++)
    to[i] = (char) (0x80 | (c >> (6 * (bytes - 1 - i)) & 0x3f));
  return bytes;
}

/* The text ends in the first piece that has a zero. */
static void
put_text (uint64_t string)
{
  uint16_t chars[MLPD_CONTENTS_TEXT_LENGTH];
  char text[TEXT_BYTES + sizeof (uint64_t)] = "";
  const uint32_t length = length_of (string);
  const size_t n = length < MLPD_CONTENTS_TEXT_LENGTH ? length : MLPD_CONTENTS_TEXT_LENGTH;
  memcpy (chars, chars_of (string), n * sizeof *chars);
  size_t bytes = 0;
  for (size_t i = 0, used; i < n; i += used)
    bytes += put_char (text + bytes, chars + i, n - i, &used);
  put (MLPD_CONTENTS_LENGTH_INDEX, length);
  for (size_t i = 0; i <= bytes; i += sizeof (uint64_t)) {
    uint64_t piece;
    memcpy (&piece, text + i, sizeof piece);
    put (MLPD_CONTENTS_TEXT_INDEX, piece);
  }
}

/* Looks up a string. */
static void
note_text (uint64_t string, uint64_t hash)
{
  const bool has_room = grow ();
  struct text_slot *const slot = walk.size != 0 ? find_slot (hash) : NULL;
  if (slot == NULL || (slot->hash == 0 && !has_room)) {
    walk.unread++;
    return;
  }
  if (slot->hash == 0) {
    *slot = (struct text_slot){ hash, string };
    walk.texts++;
    return;
  }
  if ((slot->state & 1) == 0) {
    put_object (slot->state);
    slot->state = ++walk.last_id << 1 | 1;
    put (MLPD_CONTENTS_TEXT_ID_INDEX, slot->state >> 1);
    put_text (string);
  }
  put_object (string);
  put (MLPD_CONTENTS_TEXT_ID_INDEX, slot->state >> 1);
}

/* The string waits; the one that has waited longest is looked up.  0: there is no more string. */
static void
note_string (uint64_t string)
{
  struct waiting_string *const place = &walk.waiting[walk.next++ % WAITING];
  const struct waiting_string before = *place;
  *place = (struct waiting_string){ string, string != 0 ? hash_of (string) : 0 };
  if (walk.size != 0)
    __builtin_prefetch (&walk.slots[(size_t) (place->hash >> 1) & (walk.size - 1)], 1);
  walk.strings += string != 0;
  if (before.object != 0)
    note_text (before.object, before.hash);
}

/* ---- a walk ---- */

void
contents_forget (void)
{
  if (walk.slots != NULL)
    munmap (walk.slots, walk.size * sizeof *walk.slots);
  walk.slots = NULL;
  walk.size = 0;
}

bool
contents_begin (void)
{
  walk.string_class = atomic_load (&string_class);
  const bool is_known = walk.string_class != NULL;
  walk.has_strings
      = profiler.options.heapshot_strings && is_known && length_at != 0 && chars_at != 0;
  walk.has_collections = profiler.options.heapshot_collections && is_known;
  walk.has_tasks = profiler.options.heapshot_tasks;
  walk.texts_before = walk.texts;
  walk.strings = walk.texts = walk.unread = walk.collections = 0;
  walk.last_id = 0;
  walk.base = 0;
  memset (walk.waiting, 0, sizeof walk.waiting);
  memset (walk.without, 0, sizeof walk.without);
  if (walk.slots != NULL)
    memset (walk.slots, 0, walk.size * sizeof *walk.slots);
  walk.record.object = walk.record.type = walk.record.size = 0;
  walk.record.generation = walk.record.count = 0;
  if (walk.has_collections)
    collections_begin ();
  return walk.has_strings || walk.has_collections || walk.has_tasks;
}

/* Notes what the object contains; false: the record could not be used. */
static __attribute__ ((noinline)) bool
note_object (MonoObject *object, MonoClass *klass, MonoClass **without,
             bool (*use) (const struct object_record *))
{
  struct collection_sizes sizes;
  int32_t state;
  if (walk.has_strings && klass == walk.string_class) {
    if (!make_room (use))
      return false;
    note_string (address (object));
  } else if (walk.has_collections && collections_read (object, klass, &sizes)) {
    if (!make_room (use))
      return false;
    walk.collections++;
    put_object (address (object));
    if (!sizes.is_array)
      put (MLPD_CONTENTS_COUNT_INDEX, sizes.count);
    put (MLPD_CONTENTS_ELEMENT_INDEX, sizes.element);
    put (MLPD_CONTENTS_CAPACITY_INDEX, sizes.capacity);
  } else if (walk.has_tasks && operations_read (object, klass, &state)) {
    if (!make_room (use))
      return false;
    put_object (address (object));
    put (MLPD_CONTENTS_STATE_INDEX, (uint64_t) (int64_t) state);
  } else {
    *without = klass;
  }
  return true;
}

bool
contents_note (MonoObject *object, MonoClass *klass, bool (*use) (const struct object_record *))
{
  MonoClass **const without
      = &walk.without[address (klass) * UINT64_C (0x9E3779B97F4A7C15) >> 32 & (WITHOUT - 1)];
  return *without == klass || note_object (object, klass, without, use);
}

void
contents_end (bool (*use) (const struct object_record *))
{
  for (unsigned i = 0; i < WAITING; i++)
    if (make_room (use))
      note_string (0);
  make_room (use);
  if (walk.has_strings) {
    put (MLPD_CONTENTS_STRINGS_INDEX, walk.strings);
    put (MLPD_CONTENTS_TEXTS_INDEX, walk.texts);
    put (MLPD_CONTENTS_UNREAD_INDEX, walk.unread);
  }
  if (walk.has_collections)
    put (MLPD_CONTENTS_COLLECTIONS_INDEX, walk.collections);
  flush (use);
  if (walk.size > SLOTS_KEPT)
    contents_forget ();
}

/* ---- on the thread that records ---- */

/* A record of a child that went wrong may have anything: texts may lack their end. */
size_t
contents_values (const struct object_record *record, struct mlpd_counter_value *values, char *texts)
{
  size_t n = 0, used = 0, begin = 0;
  for (uint32_t i = 0; i < record->count; i++) {
    const uint64_t index = record->offsets[i], number = record->references[i];
    if (index != MLPD_CONTENTS_TEXT_INDEX) {
      const bool is_signed = index == MLPD_CONTENTS_INDEX || index == MLPD_CONTENTS_STATE_INDEX;
      values[n++] = (struct mlpd_counter_value){ .index = index,
                                                 .type = is_signed ? MLPD_COUNTER_TYPE_LONG
                                                                   : MLPD_COUNTER_TYPE_ULONG,
                                                 .number = number };
      begin = used;
      continue;
    }
    memcpy (texts + used, &number, sizeof number);
    const size_t length = strnlen (texts + used, sizeof number);
    used += length;
    if (length == sizeof number)
      continue;
    texts[used] = 0;
    values[n++] = (struct mlpd_counter_value){ .index = index,
                                               .type = MLPD_COUNTER_TYPE_STRING,
                                               .text = { texts + begin, used - begin } };
    begin = ++used;
  }
  return n;
}
