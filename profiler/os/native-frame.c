/* native-frame.c -- call frame information of DWARF, as .eh_frame has it (Linux Standard
 * Base, 10.6; DWARF 4, 6.4). */
#include "config.h"

#include "profiler/os/native-frame.h"
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* In libgcc, and in no header: the description of the function of an instruction. */
struct dwarf_eh_bases {
  void *tbase, *dbase, *func;
};
extern const void *_Unwind_Find_FDE (void *pc, struct dwarf_eh_bases *bases);

enum {
  STACK_POINTER = 7, /* its number in DWARF for x86-64 */
  REMEMBERED = 8,
  PC_RELATIVE_4 = 0x1b, /* the encoding of addresses: relative, 4 bytes with a sign */
};

/* Instructions that matter here, or whose operands have to be skipped. */
enum {
  CFA_ADVANCE = 1, /* in the upper two bits, as the next two */
  CFA_OFFSET = 2,
  CFA_RESTORE = 3,
  CFA_NOP = 0,
  CFA_ADVANCE_1 = 2,
  CFA_ADVANCE_2 = 3,
  CFA_ADVANCE_4 = 4,
  CFA_OFFSET_EXTENDED = 5,
  CFA_RESTORE_EXTENDED = 6,
  CFA_UNDEFINED = 7,
  CFA_SAME_VALUE = 8,
  CFA_REGISTER = 9,
  CFA_REMEMBER_STATE = 10,
  CFA_RESTORE_STATE = 11,
  CFA_DEF_CFA = 12,
  CFA_DEF_CFA_REGISTER = 13,
  CFA_DEF_CFA_OFFSET = 14,
  CFA_DEF_CFA_EXPRESSION = 15,
  CFA_EXPRESSION = 16,
  CFA_VAL_OFFSET = 20,
  CFA_VAL_EXPRESSION = 22,
  CFA_GNU_ARGS_SIZE = 46,
};

/* The frame's end: a register and the distance from it. */
struct rule {
  uint64_t reg, offset;
};

struct table {
  const uint8_t *at, *end;
  uint64_t code_factor;
  struct rule rule, remembered[REMEMBERED];
  size_t depth;
  bool is_bad;
};

static uint64_t
take_bytes (struct table *t, size_t n)
{
  uint64_t value = 0;
  if (n > (size_t) (t->end - t->at)) {
    t->is_bad = true;
    t->at = t->end;
    return 0;
  }
  memcpy (&value, t->at, n);
  t->at += n;
  return value;
}

static uint64_t
take_leb (struct table *t)
{
  uint64_t value = 0;
  for (unsigned shift = 0; !t->is_bad; shift += 7) {
    const uint64_t byte = take_bytes (t, 1);
    value |= shift < 64 ? (byte & 0x7f) << shift : 0;
    if (byte < 0x80)
      break;
  }
  return value;
}

static void
skip_block (struct table *t)
{
  const uint64_t length = take_leb (t);
  if (length > (uint64_t) (t->end - t->at))
    t->is_bad = true;
  else
    t->at += length;
}

static void
change_state (struct table *t, uint8_t operation)
{
  if (operation == CFA_REMEMBER_STATE && t->depth < REMEMBERED)
    t->remembered[t->depth++] = t->rule;
  else if (operation == CFA_RESTORE_STATE && t->depth > 0)
    t->rule = t->remembered[--t->depth];
  else
    t->is_bad = true;
}

/* One that says nothing of the place in the code. */
static void
run_plain (struct table *t, uint8_t operation)
{
  switch (operation) {
  case CFA_NOP:
    break;
  case CFA_DEF_CFA:
    t->rule.reg = take_leb (t);
    t->rule.offset = take_leb (t);
    break;
  case CFA_DEF_CFA_REGISTER:
    t->rule.reg = take_leb (t);
    break;
  case CFA_DEF_CFA_OFFSET:
    t->rule.offset = take_leb (t);
    break;
  case CFA_DEF_CFA_EXPRESSION:
    skip_block (t);
    t->rule.reg = UINT64_MAX;
    break;
  case CFA_EXPRESSION:
  case CFA_VAL_EXPRESSION:
    take_leb (t);
    skip_block (t);
    break;
  case CFA_OFFSET_EXTENDED:
  case CFA_REGISTER:
  case CFA_VAL_OFFSET:
    take_leb (t);
    take_leb (t);
    break;
  case CFA_RESTORE_EXTENDED:
  case CFA_UNDEFINED:
  case CFA_SAME_VALUE:
  case CFA_GNU_ARGS_SIZE:
    take_leb (t);
    break;
  default:
    change_state (t, operation);
  }
}

/* All instructions for the first `distance` bytes of the function, the last one included. */
static void
run_until (struct table *t, uint64_t distance)
{
  for (uint64_t place = 0; t->at < t->end && !t->is_bad;) {
    const uint8_t byte = (uint8_t) take_bytes (t, 1);
    const bool has_size = byte >= CFA_ADVANCE_1 && byte <= CFA_ADVANCE_4;
    if (byte >> 6 == CFA_ADVANCE || has_size)
      place += t->code_factor
               * (has_size ? take_bytes (t, 1U << (byte - CFA_ADVANCE_1)) : byte & 0x3f);
    else if (byte >> 6 == CFA_OFFSET)
      take_leb (t);
    else if (byte >> 6 != CFA_RESTORE)
      run_plain (t, byte);
    if (place > distance)
      return;
  }
}

/* The entry at `start`, after its length and its second word.  False if it is in the long form. */
static bool
enter_entry (struct table *t, const uint8_t *start)
{
  uint32_t length;
  memcpy (&length, start, sizeof length);
  t->at = start + 8;
  t->end = start + 4 + length;
  return length >= 4 && length != UINT32_MAX;
}

/* The common part of functions: augmentation "z", with "R" for the encoding of addresses, or none
 * that has data. */
static bool
run_common (struct table *t, const uint8_t *start, bool *has_data)
{
  if (!enter_entry (t, start))
    return false;
  t->at++; /* the version */
  const char *const augmentation = (const char *) t->at;
  *has_data = augmentation[0] == 'z';
  t->at += strlen (augmentation) + 1;
  if (!*has_data && augmentation[0] != 0)
    return false;
  t->code_factor = take_leb (t);
  take_leb (t); /* the factor of offsets of registers */
  take_leb (t); /* the register with the return address */
  if (*has_data) {
    const uint64_t length = take_leb (t);
    const char *const encoding = strchr (augmentation, 'R');
    /* Each letter before it has one byte, but P. */
    if (encoding == NULL || memchr (augmentation, 'P', (size_t) (encoding - augmentation)) != NULL
        || t->at[encoding - augmentation - 1] != PC_RELATIVE_4)
      return false;
    t->at += length;
  }
  run_until (t, UINT64_MAX);
  return !t->is_bad;
}

uint64_t
native_frame_function (uint64_t pc)
{
  struct dwarf_eh_bases bases = { .func = NULL };
  const void *const entry = _Unwind_Find_FDE ((void *) (uintptr_t) pc, &bases);
  return entry != NULL ? (uint64_t) (uintptr_t) bases.func : 0;
}

/* The size of the function's frame at the instruction, return address included; 0: unknown. */
static uint64_t
frame_size (uint64_t pc)
{
  struct dwarf_eh_bases bases = { .func = NULL };
  struct table t = { .rule = { UINT64_MAX, 0 } };
  const uint8_t *const entry = _Unwind_Find_FDE ((void *) (uintptr_t) pc, &bases);
  int32_t distance;
  bool has_data;
  if (entry == NULL)
    return 0;
  memcpy (&distance, entry + 4, sizeof distance);
  if (!run_common (&t, entry + 4 - distance, &has_data) || !enter_entry (&t, entry))
    return 0;
  take_bytes (&t, 8); /* where the function is, and its size */
  if (has_data)
    skip_block (&t);
  run_until (&t, pc - (uint64_t) (uintptr_t) bases.func);
  return !t.is_bad && t.rule.reg == STACK_POINTER ? t.rule.offset : 0;
}

bool
native_frame_leave (struct native_frame *f, int memory)
{
  const uint64_t size = frame_size (f->is_caller ? f->pc - 1 : f->pc);
  uint64_t pc;
  if (size < sizeof pc
      || pread (memory, &pc, sizeof pc, (off_t) (f->sp + size - sizeof pc)) != sizeof pc)
    return false;
  *f = (struct native_frame){ .pc = pc, .sp = f->sp + size, .is_caller = true };
  return true;
}
