/* test-object-ring.c -- objects come out of the ring as they went in, also from another process. */
#include "config.h"

#include "profiler/record/object-ring.h"
#include "tests/unit/test.h"

#include <sys/wait.h>
#include <unistd.h>

enum { RECORDS = 400000 };

static struct object_record
make (uint64_t n)
{
  struct object_record r;
  r.object = n << 4;
  r.type = n % 7;
  r.size = n << 33;
  r.generation = n % 2;
  r.count = n % 129;
  for (uint32_t i = 0; i < r.count; i++) {
    r.references[i] = n + i;
    r.offsets[i] = 8 * i;
  }
  return r;
}

static void
expect (const struct object_record *r, uint64_t n)
{
  const struct object_record e = make (n);
  if (r->object != e.object || r->type != e.type || r->size != e.size
      || r->generation != e.generation || r->count != e.count)
    fail_msg ("the record %lu is another one", (unsigned long) n);
  assert_memory_equal (r->references, e.references, e.count * sizeof *e.references);
  assert_memory_equal (r->offsets, e.offsets, e.count * sizeof *e.offsets);
}

TEST (test_full)
{
  struct object_ring *ring = object_ring_create ();
  struct object_record r;
  uint64_t put = 0;
  assert_non_null (ring);
  assert_false (object_ring_get (ring, &r));
  for (r = make (put); object_ring_put (ring, &r); r = make (++put))
    ;
  assert_true (put > 1000);
  object_ring_end (ring);
  assert_false (object_ring_is_over (ring));
  for (uint64_t n = 0; n < put; n++) {
    assert_true (object_ring_get (ring, &r));
    expect (&r, n);
  }
  assert_false (object_ring_get (ring, &r));
  assert_true (object_ring_is_over (ring));
  object_ring_destroy (ring);
}

static void
put_all (struct object_ring *ring)
{
  for (uint64_t n = 0; n < RECORDS; n++) {
    const struct object_record r = make (n);
    while (!object_ring_put (ring, &r))
      usleep (100);
  }
  object_ring_end (ring);
}

TEST (test_other_process)
{
  struct object_ring *ring = object_ring_create ();
  struct object_record r;
  uint64_t n = 0;
  int status;
  assert_non_null (ring);
  const pid_t child = fork ();
  assert_true (child >= 0);
  if (child == 0) {
    put_all (ring);
    _exit (0);
  }
  while (!object_ring_is_over (ring))
    if (object_ring_get (ring, &r))
      expect (&r, n++);
    else
      usleep (100);
  assert_int_equal (n, RECORDS);
  assert_int_equal (waitpid (child, &status, 0), child);
  assert_int_equal (status, 0);
  object_ring_destroy (ring);
}
