/* make-heap.c -- writes a log with a heap snapshot of any size to standard output:
 *
 *   make-heap SHAPE OBJECTS [VERSION [SEED]]
 *
 * SHAPE is random (three references of each object to any), near (the same, but most to objects
 * that are near in memory, as in real heaps), chain (of each object to the next) or fan (of the
 * first to all others).  VERSION is the data version, 17 if it is not known; up to 12 there are no
 * offsets, up to 2 no roots.  Names are announced after the snapshot. */
#include "config.h"

#include "decoder/core/wide.h"

#include "tests/logs/buffers.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  RECORD_REFERENCES = 128, /* of an object; more are in records that follow */
  CLASSES = 200,
  ROOTS = 1000, /* at most */
  THREAD = 0x7f0001,
};

#define CLASS_BASE UINT64_C (0x560000001000)
#define VTABLE_BASE UINT64_C (0x560000101000)
#define STATIC_BASE UINT64_C (0x560000201000)
#define OBJECT_BASE UINT64_C (0x7f0000000000)

enum shape { RANDOM, NEAR, CHAIN, FAN, SHAPES };
static const char *const shapes[SHAPES] = { "random", "near", "chain", "fan" };

static uint64_t state;

/* xorshift64*: Marsaglia, and Vigna 2016. */
static uint64_t
next_random (void)
{
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * UINT64_C (0x2545F4914F6CDD1D);
}

static uint64_t
below (uint64_t n)
{
  return wide_upper (next_random (), n);
}

/* ---- writing ---- */

static unsigned version;

#define PUT(KIND, id, ...) buffer_put (KIND, &(const union mlpd_payload){ .id = { __VA_ARGS__ } })

static void
put_header (void)
{
  uint8_t head[256];
  const struct mlpd_file_header header = {
    .id = MLPD_FILE_ID,
    .major = (uint8_t) (version < 11   ? 0
                        : version < 14 ? 1
                        : version < 17 ? 2
                                       : 3),
    .data_version = (uint8_t) version,
    .pointer_size = 8,
    .start_ms = 1278000000000,
    .pid = 4711,
    .arguments.text = "",
    .architecture.text = "",
    .operating_system.text = "",
  };
  fwrite (head, 1, (size_t) (mlpd_put_file_header (head, &header) - head), stdout);
}

/* ---- the snapshot ---- */

static enum shape shape;
static uint64_t n_objects;

/* Objects have 24, 32, 40 or 48 bytes by their number, so that addresses need not be retained. */
static uint64_t
size_of (uint64_t object)
{
  return 24 + 8 * (object % 4);
}

static uint64_t
address_of (uint64_t object)
{
  static const uint64_t before[] = { 0, 24, 56, 96 };
  return OBJECT_BASE + object / 4 * 144 + before[object % 4];
}

static uint64_t
near (uint64_t object)
{
  if (below (10) == 0)
    return below (n_objects);
  const uint64_t from = object > 500 ? object - 500 : 0;
  return from + below ((n_objects - from < 1000 ? n_objects - from : 1000));
}

/* References of an object, `at` of them were taken; how many there are now. */
static size_t
take_references (uint64_t object, uint64_t *at, uint64_t *items, uint64_t *offsets)
{
  const uint64_t all = shape == RANDOM || shape == NEAR ? 3
                       : shape == CHAIN                 ? object + 1 < n_objects
                       : object == 0                    ? n_objects - 1
                                                        : 0;
  size_t n = 0;
  for (; *at < all && n < RECORD_REFERENCES; ++*at, n++) {
    const uint64_t target = shape == RANDOM  ? below (n_objects)
                            : shape == NEAR  ? near (object)
                            : shape == CHAIN ? object + 1
                                             : *at + 1;
    items[n] = address_of (target);
    offsets[n] = 16 + 8 * *at;
  }
  return n;
}

static void
put_object (uint64_t object)
{
  uint64_t items[RECORD_REFERENCES], offsets[RECORD_REFERENCES], at = 0;
  const uint64_t number = object * 7 % CLASSES;
  bool first = true;
  for (;;) {
    const size_t n = take_references (object, &at, items, offsets);
    if (n == 0 && !first)
      return;
    PUT (MLPD_HEAP_OBJECT, heap_object, .time = now, .object = address_of (object),
         .klass = CLASS_BASE + 8 * number, .vtable = VTABLE_BASE + 8 * number,
         .size = first ? size_of (object) : 0, .generation = 1,
         .references = { items, version >= MLPD_VERSION_REFERENCE_OFFSETS ? offsets : NULL, n });
    first = false;
  }
}

static void
put_roots (void)
{
  const uint64_t some = n_objects / 10000 + 1 < ROOTS ? n_objects / 10000 + 1 : ROOTS;
  const uint64_t n = shape == CHAIN || shape == FAN ? 1 : some;
  for (uint64_t i = 0; i < n; i++) {
    const uint64_t object = shape == CHAIN || shape == FAN ? 0 : below (n_objects);
    const struct mlpd_root root = { .address = STATIC_BASE + 8 * i,
                                    .object = address_of (object),
                                    .type = version < 14 ? 3 : 8 };
    PUT (MLPD_HEAP_ROOT, heap_root, .time = now, .roots = { &root, 1, 1 });
  }
}

static void
put_names (void)
{
  char name[32];
  for (uint64_t i = 0; i < CLASSES; i++) {
    const int length = snprintf (name, sizeof name, "Heap.Class%u", (unsigned) i);
    PUT (MLPD_METADATA_CLASS, metadata_class, .action = MLPD_LOAD_END_LOAD, .time = now,
         .klass = CLASS_BASE + 8 * i, .image = 0x560010, .name = { name, (size_t) length });
    if (version >= MLPD_VERSION_VTABLES)
      PUT (MLPD_METADATA_VTABLE, metadata_vtable, .action = MLPD_LOAD_END_LOAD, .time = now,
           .vtable = VTABLE_BASE + 8 * i, .klass = CLASS_BASE + 8 * i);
  }
}

static void
put_log (void)
{
  put_header ();
  buffer_begin (version, THREAD);
  if (version >= MLPD_VERSION_ROOT_ADDRESSES)
    PUT (MLPD_HEAP_ROOT_REGISTER, heap_root_register, .time = now, .start = STATIC_BASE,
         .size = 8 * ROOTS, .source = MLPD_ROOT_SOURCE_STATIC, .key = VTABLE_BASE,
         .name = { "Static Fields", 13 });
  if (version >= 3 && version < 14)
    put_roots ();
  PUT (MLPD_HEAP_START, heap_start, .time = now);
  if (version >= 14)
    put_roots ();
  for (uint64_t i = 0; i < n_objects; i++) {
    now += 10;
    put_object (i);
  }
  PUT (MLPD_HEAP_END, heap_end, .time = now);
  put_names ();
  buffer_end ();
  buffer_begin (version, THREAD);
  buffer_end ();
}

int
main (int argc, char **argv)
{
  while (argc > 1 && shape < SHAPES && strcmp (argv[1], shapes[shape]) != 0)
    shape++;
  n_objects = argc > 2 ? strtoull (argv[2], NULL, 10) : 0;
  version = argc > 3 ? (unsigned) strtoul (argv[3], NULL, 10) : 17;
  state = 0x9E3779B97F4A7C15 ^ (argc > 4 ? strtoull (argv[4], NULL, 10) : 1);
  if (shape == SHAPES || argc < 3 || (n_objects == 0 && shape != CHAIN) || version == 0
      || version > MLPD_VERSION_LAST) {
    fputs ("Usage: make-heap random|near|chain|fan OBJECTS [VERSION [SEED]]\n", stderr);
    return 2;
  }
  put_log ();
  return ferror (stdout) || fflush (stdout) != 0;
}
