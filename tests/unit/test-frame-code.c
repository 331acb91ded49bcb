/* test-frame-code.c -- beginnings of methods, as Mono 6.8 compiles them on x86-64. */
#include "config.h"

#include "profiler/mono/frame-code.h"
#include "tests/unit/test.h"

#include <stdlib.h>
#include <string.h>

/* The bytes are those of the code that objdump shows beside them. */
static bool
read_code (struct frame_code *frame, const char *code, size_t size)
{
  return frame_code_read (frame, (const uint8_t *) code, size);
}

#define READ(frame, code) read_code (frame, code, sizeof (code) - 1)

static void
frame_pointer (void **state)
{
  (void) state;
  struct frame_code f;
  /* push %rbp; mov %rsp,%rbp; sub $0xe0,%rsp; either encoding of the mov */
  assert_true (READ (&f, "\x55\x48\x8b\xec\x48\x81\xec\xe0\x00\x00\x00"));
  assert_int_equal (f.bytes, 0);
  assert_true (READ (&f, "\x55\x48\x89\xe5\x48\x83\xec\x20"));
  assert_int_equal (f.bytes, 0);
}

static void
fixed_size (void **state)
{
  (void) state;
  struct frame_code f;
  /* sub $0x18,%rsp; mov %rdi,%rax */
  assert_true (READ (&f, "\x48\x83\xec\x18\x48\x8b\xc7"));
  assert_int_equal (f.bytes, 0x18);
  assert_int_equal (f.rbp_at, -1);
  /* sub $0x118,%rsp; mov %rbx,(%rsp); mov %rbp,0x8(%rsp); mov %r12,0x10(%rsp) */
  assert_true (READ (&f, "\x48\x81\xec\x18\x01\x00\x00\x48\x89\x1c\x24\x48\x89\x6c\x24\x08"
                         "\x4c\x89\x64\x24\x10"));
  assert_int_equal (f.bytes, 0x118);
  assert_int_equal (f.rbp_at, 8);
  /* sub $0x118,%rsp; mov %rbp,0x100(%rsp) */
  assert_true (READ (&f, "\x48\x81\xec\x18\x01\x00\x00\x48\x89\xac\x24\x00\x01\x00\x00"));
  assert_int_equal (f.rbp_at, 0x100);
  /* sub $0x18,%rsp; mov %rbx,0x8(%rsp); mov %rbp,(%rsp) */
  assert_true (READ (&f, "\x48\x83\xec\x18\x48\x89\x5c\x24\x08\x48\x89\x2c\x24"));
  assert_int_equal (f.rbp_at, 0);
  /* sub $0x18,%rsp; mov %rsi,0x8(%rsp): no register of the caller's */
  assert_true (READ (&f, "\x48\x83\xec\x18\x48\x89\x74\x24\x08"));
  assert_int_equal (f.rbp_at, -1);
}

static void
refused (void **state)
{
  (void) state;
  struct frame_code f;
  assert_false (READ (&f, ""));
  assert_false (READ (&f, "\x55"));
  /* push %rbp; push %r15 */
  assert_false (READ (&f, "\x55\x41\x57\x41\x56"));
  /* mov %rdi,%rax: no frame */
  assert_false (READ (&f, "\x48\x8b\xc7\xc3"));
  /* A frame in steps: sub $0x1000,%rsp; test %rsp,(%rsp) */
  assert_false (READ (&f, "\x48\x81\xec\x00\x10\x00\x00\x48\x85\x24\x24"));
  /* No multiple of a word, a negative size, %rbp outside the frame */
  assert_false (READ (&f, "\x48\x83\xec\x14"));
  assert_false (READ (&f, "\x48\x83\xec\xf8"));
  assert_false (READ (&f, "\x48\x83\xec\x08\x48\x89\x6c\x24\x10"));
  /* Ends within an instruction. */
  assert_false (READ (&f, "\x48\x83\xec"));
  assert_false (READ (&f, "\x48\x81\xec\x18\x01\x00"));
}

/* Each byte of a good beginning is replaced by each value; read within its size (sanitizers). */
static void
any_bytes (void **state)
{
  (void) state;
  static const uint8_t good[] = "\x48\x81\xec\x18\x01\x00\x00\x48\x89\x1c\x24\x48\x89\x6c\x24\x08";
  for (size_t size = 0; size < sizeof good; size++)
    for (size_t i = 0; i < size; i++)
      for (int value = 0; value < 256; value++) {
        uint8_t *const code = malloc (size);
        struct frame_code f;
        memcpy (code, good, size);
        code[i] = (uint8_t) value;
        if (frame_code_read (&f, code, size))
          assert_true (f.bytes % 8 == 0 && f.rbp_at < (int32_t) f.bytes);
        free (code);
      }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (frame_pointer),
    cmocka_unit_test (fixed_size),
    cmocka_unit_test (refused),
    cmocka_unit_test (any_bytes),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
