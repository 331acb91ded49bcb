/* make-letter.c -- writes a log of data version 1 as its published text has it: assemblies and
 * domains end after their pointer, and differences of objects count bytes.  Or the same log with
 * units of 8 bytes.
 *
 *   make-letter UNIT COUNT [SIZE]
 *
 * COUNT objects, each after the one before, of SIZE bytes or of 24, 32 and 40 in turn, are
 * allocated; all are in a heap snapshot, where each refers to the next; the first of them is moved
 * to where it is.
 */
#include "config.h"

#include <proflog/mlpd-encode.h>
#include <stdio.h>
#include <stdlib.h>

#define TEXT(text)                                                                                 \
  {                                                                                                \
    text, sizeof text - 1                                                                          \
  }

enum { START = 5000000, CLASS = 0x561000, IMAGE = 0x560010, THREAD = 0x7f11, PER_BUFFER = 1000 };
#define FIRST UINT64_C (0x7f0000000000)

static unsigned long unit, count, only_size;
static uint8_t bytes[PER_BUFFER * 64];

/* The encoder divides by 8: its differences for this address count bytes then. */
static uint64_t
written (uint64_t address)
{
  return unit == 1 ? address << 3 : address;
}

static uint64_t
size_of (unsigned long number)
{
  return only_size != 0 ? only_size : 24 + 8 * (number % 3);
}

static void
write_buffer (const struct mlpd_encoder *e, const uint8_t *end)
{
  uint8_t header[MLPD_BUFFER_HEADER_SIZE];
  const struct mlpd_buffer_header h = mlpd_encoder_header (e, THREAD, (uint32_t) (end - bytes));
  mlpd_put_buffer_header (header, &h);
  fwrite (header, 1, sizeof header, stdout);
  fwrite (bytes, 1, (size_t) (end - bytes), stdout);
}

static uint8_t *
put (struct mlpd_encoder *e, uint8_t *p, enum mlpd_kind kind, union mlpd_payload payload)
{
  return mlpd_put_event (e, p, kind, &payload);
}

#define PUT(KIND, id, ...) p = put (&e, p, KIND, (union mlpd_payload){ .id = { __VA_ARGS__ } })

static uint8_t *
put_bare (struct mlpd_encoder *e, uint8_t *p, uint8_t mtype, uint64_t pointer)
{
  *p++ = MLPD_TYPE_METADATA | MLPD_LOAD_END_LOAD;
  p = mlpd_put_time (e, p, START + 10);
  *p++ = mtype;
  return mlpd_put_ptr (e, p, pointer);
}

static void
write_names (void)
{
  struct mlpd_encoder e;
  uint8_t *p = bytes;
  mlpd_encoder_start (&e, 1, START);
  p = put_bare (&e, p, MLPD_MTYPE_ASSEMBLY, IMAGE + 0x100);
  p = put_bare (&e, p, MLPD_MTYPE_DOMAIN, IMAGE + 0x200);
  PUT (MLPD_METADATA_CLASS, metadata_class, .action = MLPD_LOAD_END_LOAD, .time = START + 20,
       .klass = CLASS, .image = IMAGE, .name = TEXT ("Letter.Node"));
  write_buffer (&e, p);
}

static void
write_allocations (void)
{
  uint64_t address = FIRST;
  for (unsigned long i = 0; i < count;) {
    struct mlpd_encoder e;
    uint8_t *p = bytes;
    mlpd_encoder_start (&e, 1, START + 100 + i);
    for (const unsigned long end = i + PER_BUFFER; i < count && i < end; i++) {
      PUT (MLPD_ALLOC, alloc, .time = START + 100 + i, .klass = CLASS, .object = written (address),
           .size = size_of (i));
      address += size_of (i);
    }
    write_buffer (&e, p);
  }
}

static void
write_collection (void)
{
  const uint64_t time = START + 200 + count;
  const uint64_t moved[] = { written (FIRST), written (FIRST) };
  uint64_t address = FIRST;
  for (unsigned long i = 0; i < count;) {
    struct mlpd_encoder e;
    uint8_t *p = bytes;
    mlpd_encoder_start (&e, 1, time);
    if (i == 0) {
      PUT (MLPD_GC_EVENT, gc_event, .time = time, .event = MLPD_GC_EVENT_START, .generation = 1);
      PUT (MLPD_GC_MOVE, gc_move, .time = time, .objects = { moved, 2 });
      PUT (MLPD_HEAP_START, heap_start, .time = time);
    }
    for (const unsigned long end = i + PER_BUFFER; i < count && i < end; i++) {
      const uint64_t next = written (address + size_of (i));
      PUT (MLPD_HEAP_OBJECT, heap_object, .object = written (address), .klass = CLASS,
           .size = size_of (i), .references = { &next, NULL, i + 1 < count });
      address += size_of (i);
    }
    if (i == count) {
      PUT (MLPD_HEAP_END, heap_end, .time = time);
      PUT (MLPD_GC_EVENT, gc_event, .time = time + 5, .event = MLPD_GC_EVENT_END, .generation = 1);
    }
    write_buffer (&e, p);
  }
}

int
main (int argc, char **argv)
{
  uint8_t header[MLPD_FILE_HEADER_SIZE];
  unit = argc >= 3 ? strtoul (argv[1], NULL, 10) : 0;
  count = argc >= 3 ? strtoul (argv[2], NULL, 10) : 0;
  only_size = argc == 4 ? strtoul (argv[3], NULL, 10) : 0;
  if (argc > 4 || (unit != 1 && unit != 8) || count == 0) {
    fputs ("usage: make-letter 1|8 COUNT [SIZE]\n", stderr);
    return 2;
  }
  mlpd_put_file_header (header, &(const struct mlpd_file_header){
                                    .id = MLPD_FILE_ID, .data_version = 1, .pointer_size = 8 });
  fwrite (header, 1, sizeof header, stdout);
  write_names ();
  write_allocations ();
  write_collection ();
  return ferror (stdout) || fflush (stdout) != 0;
}
