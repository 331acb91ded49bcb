/* heap-parts.c -- builds the arrays of a graph from packed records, in three passes.
 *
 * Parts are read three times: for the addresses of objects, which makes their numbers; for what
 * they are, and how many references they have; and for these.  The second and third time two
 * threads do so, each for half of the objects, as all records of one must be read in order. */
#include "config.h"

#include "decoder/core/halves.h"
#include "decoder/core/large-array.h"
#include "decoder/heap/heap-parts.h"
#include "decoder/heap/heap-records.h"
#include <stdlib.h>
#include <string.h>

/* ---- ranks of addresses ---- */

/* Objects lie at multiples of 8, many in each page.  A page of addresses that has any is a set of
 * bits with how many there are before each word of them, so that a place is found with one access
 * to a small table and one to the page, and a large heap's pages fit in the cache. */

#define ADDRESS_PAGE_BITS 12
#define ADDRESS_PAGE_WORDS (1 << (ADDRESS_PAGE_BITS - 3 - 6))
#define ADDRESS_NO_RANK UINT32_MAX

struct address_page {
  uint64_t number;                    /* its address, by the size of pages */
  uint32_t ranks[ADDRESS_PAGE_WORDS]; /* of the first bit of each word; after address_ranks_count */
  uint64_t bits[ADDRESS_PAGE_WORDS];
};

struct address_ranks {
  struct address_page *pages;
  size_t n_pages, room;
  uint32_t *places; /* open addressing: page + 1; 0: free */
  unsigned shift;   /* of a hash, to the number of places */
  size_t latest;    /* page that was added to */
};

#define PLACES_BITS_MIN 10

static inline size_t
n_places (const struct address_ranks *r)
{
  return (size_t) 1 << (64 - r->shift);
}

static inline unsigned
bit_of (uint64_t address)
{
  return (unsigned) (address >> 3) & (ADDRESS_PAGE_WORDS * 64 - 1);
}

/* Where the place of a page is searched for first. */
static inline size_t
hash (const struct address_ranks *r, uint64_t number)
{
  return (size_t) (number * UINT64_C (0x9E3779B97F4A7C15) >> r->shift);
}

static inline uint32_t *
place_of (const struct address_ranks *r, uint64_t number)
{
  const size_t mask = n_places (r) - 1;
  size_t place = hash (r, number);
  while (r->places[place] != 0 && r->pages[r->places[place] - 1].number != number)
    place = (place + 1) & mask;
  return &r->places[place];
}

static void
address_ranks_init (struct address_ranks *r)
{
  *r = (struct address_ranks){ .shift = 64 - PLACES_BITS_MIN };
  r->places = g_new0 (uint32_t, n_places (r));
}

static void
address_ranks_clear (struct address_ranks *r)
{
  g_free (r->pages);
  g_free (r->places);
}

static void
index_pages (struct address_ranks *r)
{
  memset (r->places, 0, n_places (r) * sizeof *r->places);
  for (size_t i = 0; i < r->n_pages; i++)
    *place_of (r, r->pages[i].number) = (uint32_t) i + 1;
}

static size_t
add_page (struct address_ranks *r, uint64_t number)
{
  if (r->n_pages == r->room) {
    r->room = MAX (2 * r->room, 64);
    r->pages = g_renew (struct address_page, r->pages, r->room);
  }
  r->pages[r->n_pages++] = (struct address_page){ .number = number };
  if (2 * r->n_pages > n_places (r)) {
    r->shift--;
    r->places = g_renew (uint32_t, r->places, n_places (r));
    index_pages (r);
  } else {
    *place_of (r, number) = (uint32_t) r->n_pages;
  }
  return r->n_pages - 1;
}

/* Adds an address, a multiple of 8. */
static void
address_ranks_add (struct address_ranks *r, uint64_t address)
{
  const uint64_t number = address >> ADDRESS_PAGE_BITS;
  if (r->n_pages == 0 || r->pages[r->latest].number != number) {
    const uint32_t place = *place_of (r, number);
    r->latest = place != 0 ? place - 1 : add_page (r, number);
  }
  const unsigned bit = bit_of (address);
  r->pages[r->latest].bits[bit / 64] |= UINT64_C (1) << bit % 64;
}

static int
compare_pages (const void *a, const void *b)
{
  const struct address_page *x = a, *y = b;
  return (x->number > y->number) - (x->number < y->number);
}

/* How many there are.  From then on each has its rank, and no more are added. */
static uint64_t
address_ranks_count (struct address_ranks *r)
{
  uint64_t count = 0;
  if (r->n_pages != 0)
    qsort (r->pages, r->n_pages, sizeof *r->pages, compare_pages);
  index_pages (r);
  for (size_t i = 0; i < r->n_pages; i++)
    for (int word = 0; word < ADDRESS_PAGE_WORDS; word++) {
      r->pages[i].ranks[word] = (uint32_t) count;
      count += (unsigned) __builtin_popcountll (r->pages[i].bits[word]);
    }
  return count;
}

/* Not all processors for which this is built have an instruction for it. */
static inline unsigned
count_bits (uint64_t word)
{
  word -= word >> 1 & UINT64_C (0x5555555555555555);
  word = (word & UINT64_C (0x3333333333333333)) + (word >> 2 & UINT64_C (0x3333333333333333));
  word = (word + (word >> 4)) & UINT64_C (0x0f0f0f0f0f0f0f0f);
  return (unsigned) (word * UINT64_C (0x0101010101010101) >> 56);
}

static inline uint32_t
find (const struct address_ranks *r, uint64_t address)
{
  const uint32_t place = *place_of (r, address >> ADDRESS_PAGE_BITS);
  if (place == 0 || address % 8 != 0)
    return ADDRESS_NO_RANK;
  const struct address_page *page = &r->pages[place - 1];
  const unsigned bit = bit_of (address);
  const uint64_t word = page->bits[bit / 64], mask = UINT64_C (1) << bit % 64;
  return (word & mask) != 0 ? page->ranks[bit / 64] + count_bits (word & (mask - 1))
                            : ADDRESS_NO_RANK;
}

/* How many addresses are smaller; ADDRESS_NO_RANK if this one is none of them. */
static uint32_t
address_ranks_find (const struct address_ranks *r, uint64_t address)
{
  return find (r, address);
}

/* The same for `n` addresses at once, which is faster where they are far from each other. */
static void
address_ranks_find_many (const struct address_ranks *r, const uint64_t *addresses, uint32_t *found,
                         size_t n)
{
  for (size_t i = 0; i < n; i++) {
    const uint32_t place = r->places[hash (r, addresses[i] >> ADDRESS_PAGE_BITS)];
    if (place == 0)
      continue;
    const struct address_page *page = &r->pages[place - 1];
    __builtin_prefetch (page);
    __builtin_prefetch (&page->bits[bit_of (addresses[i]) / 64]);
  }
  for (size_t i = 0; i < n; i++)
    found[i] = find (r, addresses[i]);
}

/* ---- the graph of parts ---- */

/* References whose objects are searched at a time. */
#define BATCH 256

/* This many objects are worth a thread. */
#define MANY_OBJECTS (1u << 14)

/* A record of the snapshot, read in order. */
struct part_walk {
  const GArray *parts;
  guint next_part;
  const struct heap_part *part;
  struct cursor cursor;
  struct heap_record record;
};

static bool
walk_next (struct part_walk *w)
{
  while (w->part == NULL || !heap_records_next (&w->cursor, &w->record)) {
    if (w->next_part == w->parts->len)
      return false;
    w->part = &g_array_index (w->parts, struct heap_part, w->next_part++);
    w->cursor = cursor_over (w->part->bytes->data, w->part->bytes->len);
    w->record = (struct heap_record){ 0 };
  }
  return true;
}

/* The objects that one thread handles, by their numbers. */
struct share {
  struct heap_graph *g;
  struct part_walk walk;
  const struct address_ranks *ranks;
  uint32_t from, end;

  /* Records that describe an object again, and the references of such, are of no use. */
  uint8_t *described; /* a bit an object; common to all shares, which begin with whole bytes */
  uint64_t again;     /* address of the object that is described again; 0: none */

  uint32_t *next; /* by object: the place of its next reference; common */
  uint64_t addresses[BATCH];
  uint32_t objects[BATCH], offsets[BATCH], targets[BATCH];
  size_t n; /* references in the batch */

  uint64_t bytes;
  uint64_t references;
  uint64_t dangling;
  uint64_t duplicates;
};

static bool
share_includes (struct share *s, const struct heap_record *r, uint32_t object)
{
  if (object < s->from || object >= s->end) {
    if (r->bytes != 0 && object != ADDRESS_NO_RANK)
      s->again = 0;
    return false;
  }
  if (r->bytes == 0)
    return r->object != s->again;
  const uint8_t bit = (uint8_t) (1 << object % 8);
  const bool again = (s->described[object / 8] & bit) != 0;
  s->again = again ? r->object : 0;
  s->duplicates += again;
  s->described[object / 8] |= bit;
  return !again;
}

/* The next record of the share's objects, with its references before the cursor. */
static bool
share_next (struct share *s, uint32_t *object)
{
  while (walk_next (&s->walk)) {
    *object = address_ranks_find (s->ranks, s->walk.record.object);
    if (share_includes (s, &s->walk.record, *object))
      return true;
    heap_records_skip (&s->walk.cursor, &s->walk.record);
  }
  return false;
}

/* The second time. */
static void *
count_objects_of_share (void *data)
{
  struct share *s = data;
  struct heap_graph *g = s->g;
  const struct heap_record *r = &s->walk.record;
  uint32_t object;
  memset (&g->bytes[s->from], 0, (s->end - s->from) * sizeof *g->bytes);
  memset (&g->first[s->from], 0, (s->end - s->from) * sizeof *g->first);
  while (s->references <= HEAP_GRAPH_MAX && share_next (s, &object)) {
    heap_records_skip (&s->walk.cursor, r);
    g->addresses[object] = r->object;
    g->classes[object] = s->walk.part->types[r->type];
    g->generations[object] = r->generation;
    g->bytes[object] += r->bytes;
    g->first[object] += (uint32_t) r->n_references;
    s->bytes += r->bytes;
    s->references += r->n_references;
  }
  return NULL;
}

static void
next_batch (struct share *s)
{
  struct heap_graph *g = s->g;
  address_ranks_find_many (s->ranks, s->addresses, s->targets, s->n);
  for (size_t i = 0; i < s->n; i++) {
    if (s->targets[i] == ADDRESS_NO_RANK) {
      s->dangling += s->addresses[i] != 0;
      continue;
    }
    const uint32_t place = s->next[s->objects[i]]++;
    g->targets[place] = s->targets[i];
    if (g->offsets != NULL)
      g->offsets[place] = s->offsets[i];
  }
  s->n = 0;
}

/* The third time. */
static void *
add_references_of_share (void *data)
{
  struct share *s = data;
  const struct heap_record *r = &s->walk.record;
  uint32_t object;
  memcpy (&s->next[s->from], &s->g->first[s->from], (s->end - s->from) * sizeof *s->next);
  while (share_next (s, &object)) {
    uint64_t offset = 0;
    for (uint64_t i = 0; i < r->n_references; i++) {
      s->addresses[s->n] = heap_records_reference (&s->walk.cursor, r, &offset);
      s->objects[s->n] = object;
      s->offsets[s->n] = (uint32_t) MIN (offset, UINT32_MAX);
      if (++s->n == BATCH)
        next_batch (s);
    }
  }
  next_batch (s);
  return NULL;
}

/* The first time: which objects there are. */
static uint64_t
find_objects (const GArray *parts, struct address_ranks *ranks, bool *has_offsets)
{
  struct part_walk w = { .parts = parts };
  while (walk_next (&w)) {
    if (w.record.object != 0)
      address_ranks_add (ranks, w.record.object);
    *has_offsets |= w.record.has_offsets;
    heap_records_skip (&w.cursor, &w.record);
  }
  return address_ranks_count (ranks);
}

/* Numbers of references become the places where they begin. */
static void
place_references (struct heap_graph *g, bool has_offsets)
{
  uint32_t sum = 0;
  for (uint32_t i = 0; i < g->n_objects; i++) {
    const uint32_t count = g->first[i];
    g->first[i] = sum;
    sum += count;
  }
  g->targets = large_array (sum, sizeof *g->targets);
  if (has_offsets)
    g->offsets = large_array (sum, sizeof *g->offsets);
}

/* Closes the places of references that were left out; `end` is after the last of each object. */
static void
close_gaps (struct heap_graph *g, const uint32_t *end)
{
  uint32_t to = 0;
  for (uint32_t i = 0; i < g->n_objects; i++) {
    const uint32_t from = g->first[i], n = end[i] - from;
    g->first[i] = to;
    if (from != to) {
      memmove (&g->targets[to], &g->targets[from], n * sizeof *g->targets);
      if (g->offsets != NULL)
        memmove (&g->offsets[to], &g->offsets[from], n * sizeof *g->offsets);
    }
    to += n;
  }
  g->first[g->n_objects] = g->n_references = to;
}

static bool
read_shares (const GArray *parts, const struct address_ranks *ranks, struct heap_graph *g,
             bool has_offsets)
{
  const uint32_t n = g->n_objects, half = n / 16 * 8;
  const size_t bits = (size_t) n / 8 + 1;
  struct share *shares = g_new0 (struct share, 2);
  uint8_t *described = g_malloc0 (bits);
  for (int i = 0; i < 2; i++)
    shares[i] = (struct share){ .g = g,
                                .walk.parts = parts,
                                .ranks = ranks,
                                .from = i == 0 ? 0 : half,
                                .end = i == 0 ? half : n,
                                .described = described };
  run_halves (count_objects_of_share, &shares[0], &shares[1], shares[0].end >= MANY_OBJECTS / 2);
  g->total_bytes = shares[0].bytes + shares[1].bytes;
  g->duplicate_objects = shares[0].duplicates + shares[1].duplicates;
  const bool good = shares[0].references + shares[1].references <= HEAP_GRAPH_MAX;
  if (good) {
    place_references (g, has_offsets);
    uint32_t *next = large_array (n, sizeof *next);
    memset (described, 0, bits);
    for (int i = 0; i < 2; i++) {
      shares[i].walk = (struct part_walk){ .parts = parts };
      shares[i].again = 0;
      shares[i].next = next;
    }
    run_halves (add_references_of_share, &shares[0], &shares[1], shares[0].end >= MANY_OBJECTS / 2);
    g->dangling_references = shares[0].dangling + shares[1].dangling;
    close_gaps (g, next);
    free (next);
  }
  g_free (described);
  g_free (shares);
  return good;
}

bool
heap_parts_read (const GArray *parts, struct heap_graph *g)
{
  struct address_ranks ranks;
  bool has_offsets = false;
  address_ranks_init (&ranks);
  const uint64_t n = find_objects (parts, &ranks, &has_offsets);
  bool good = n <= HEAP_GRAPH_MAX;
  if (good) {
    g->n_objects = (uint32_t) n;
    g->addresses = large_array (n, sizeof *g->addresses);
    g->bytes = large_array (n, sizeof *g->bytes);
    g->classes = large_array (n, sizeof *g->classes);
    g->generations = large_array (n, sizeof *g->generations);
    g->first = large_array (n + 1, sizeof *g->first);
    good = read_shares (parts, &ranks, g, has_offsets);
  }
  address_ranks_clear (&ranks);
  return good;
}
