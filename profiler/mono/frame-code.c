/* frame-code.c -- reads the beginning of a method's code. */
#include "config.h"

#include "profiler/mono/frame-code.h"
#include <string.h>

/* An instruction's operand at `at`: of one byte, or of four.  False if the code ends before it. */
static bool
read_operand (int32_t *value, const uint8_t *code, size_t size, size_t at, bool is_long)
{
  if (at + (is_long ? 4 : 1) > size)
    return false;
  if (is_long)
    memcpy (value, code + at, 4);
  else
    *value = code[at] < 0x80 ? code[at] : code[at] - 0x100;
  return true;
}

static bool
begins (const uint8_t *code, size_t size, size_t at, const char *bytes, size_t count)
{
  return at + count <= size && memcmp (code + at, bytes, count) == 0;
}

#define BEGINS(at, bytes) begins (code, size, at, bytes, sizeof (bytes) - 1)

/* mov %REG, OFFSET(%rsp), where %rbx and %rbp are stored, in this order.  Returns its length, 0 if
 * it is none. */
static size_t
read_store (int32_t *offset, const uint8_t *code, size_t size, size_t at, unsigned reg)
{
  if (!BEGINS (at, "\x48\x89") || at + 4 > size || code[at + 3] != 0x24)
    return 0;
  const unsigned mode = code[at + 2] >> 6;
  if ((code[at + 2] & 0x3f) != (reg << 3 | 4) || mode == 3)
    return 0;
  *offset = 0;
  if (mode != 0 && !read_operand (offset, code, size, at + 4, mode == 2))
    return 0;
  return mode == 0 ? 4 : mode == 1 ? 5 : 8;
}

enum { RBX = 3, RBP = 5 };

bool
frame_code_read (struct frame_code *frame, const uint8_t *code, size_t size)
{
  int32_t bytes, offset;
  *frame = (struct frame_code){ .rbp_at = -1 };
  if (BEGINS (0, "\x55\x48\x8b\xec") || BEGINS (0, "\x55\x48\x89\xe5"))
    return true;
  if (!BEGINS (0, "\x48\x83\xec") && !BEGINS (0, "\x48\x81\xec"))
    return false;
  const bool is_long = code[1] == 0x81;
  /* A larger frame is made in steps. */
  if (!read_operand (&bytes, code, size, 3, is_long) || bytes <= 0 || bytes >= 4096
      || bytes % 8 != 0)
    return false;
  frame->bytes = (uint32_t) bytes;
  size_t at = is_long ? 7 : 4;
  at += read_store (&offset, code, size, at, RBX);
  if (read_store (&offset, code, size, at, RBP) != 0) {
    if (offset < 0 || offset > bytes - 8)
      return false;
    frame->rbp_at = offset;
  }
  return true;
}
