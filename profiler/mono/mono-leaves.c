/* mono-leaves.c -- methods that stand at the bottom of no backtrace, and methods that are inlined.
 *
 * Where stacks are retained by enter and leave, each method pays for both.  A method whose code can
 * neither call, nor allocate, nor fail is never in a stack that is captured: most properties,
 * for instance.  It need not report its calls (and the runtime may inline it, as it does without a
 * profiler).  The code is inspected once, when it is compiled.
 *
 * Short methods without calls are inlined where they do not report calls: they are a large part of
 * the calls of most programs, and the smallest part of its time.
 */
#include "config.h"

#include "profiler/mono/mono-private.h"
#include <mono/metadata/attrdefs.h>
#include <mono/metadata/loader.h>
#include <mono/metadata/metadata.h>
#include <mono/metadata/opcodes.h>

/* The properties of each opcode in the runtime's list, with its own names. */
enum {
  Pop0 = 0,
  Pop1 = 1,
  PopI = 1,
  PopI8 = 1,
  PopR4 = 1,
  PopR8 = 1,
  PopRef = 1,
  VarPop = 0,
  Push0 = 0,
  Push1 = 1,
  PushI = 1,
  PushI8 = 1,
  PushR4 = 1,
  PushR8 = 1,
  PushRef = 1,
  VarPush = 0
};

struct opcode {
  uint8_t argument, pops, pushes, prefix, value;
};

#define OPDEF(id, name, pops, pushes, argument, x, size, prefix, value, flow)                      \
  { Mono##argument, pops, pushes, prefix, value },
static const struct opcode opcodes[] = {
#include <mono/cil/opcode.def>
};
#undef OPDEF

enum {
  CODE_MAX = 256, /* bytes: longer code hardly ever is a leaf's */
  STACK_MAX = 16
};

static const size_t argument_sizes[] = {
  [MonoInlineNone] = 0,          [MonoInlineType] = 4,
  [MonoInlineField] = 4,         [MonoInlineMethod] = 4,
  [MonoInlineTok] = 4,           [MonoInlineString] = 4,
  [MonoInlineSig] = 4,           [MonoInlineVar] = 2,
  [MonoShortInlineVar] = 1,      [MonoInlineBrTarget] = 4,
  [MonoShortInlineBrTarget] = 1, [MonoInlineR] = 8,
  [MonoShortInlineR] = 4,        [MonoInlineI] = 4,
  [MonoShortInlineI] = 1,        [MonoInlineI8] = 8,
};

/* The evaluation stack: whether each value is the object that the method was called on, which is
 * there. */
struct code {
  const uint8_t *at, *end;
  size_t depth;
  bool is_this[STACK_MAX];
};

static bool
is_safe (MonoOpcodeEnum id)
{
  switch (id) {
  case MONO_CEE_NOP:
  case MONO_CEE_DUP:
  case MONO_CEE_POP:
  case MONO_CEE_RET:
  case MONO_CEE_CEQ:
  case MONO_CEE_CGT:
  case MONO_CEE_CGT_UN:
  case MONO_CEE_CLT:
  case MONO_CEE_CLT_UN:
  case MONO_CEE_LDFLD:
  case MONO_CEE_STFLD:
  case MONO_CEE_LDARG_S:
  case MONO_CEE_LDLOC_S:
  case MONO_CEE_STLOC_S:
  case MONO_CEE_NEG:
  case MONO_CEE_NOT:
  case MONO_CEE_CONV_R_UN:
  case MONO_CEE_CONV_U2:
  case MONO_CEE_CONV_U1:
  case MONO_CEE_CONV_I:
  case MONO_CEE_CONV_U:
    return true;
  default:
    return (id >= MONO_CEE_LDARG_0 && id <= MONO_CEE_STLOC_3)
           || (id >= MONO_CEE_LDNULL && id <= MONO_CEE_LDC_R8)
           || (id >= MONO_CEE_BR_S && id <= MONO_CEE_BLT_UN)
           || (id >= MONO_CEE_ADD && id <= MONO_CEE_MUL)
           || (id >= MONO_CEE_AND && id <= MONO_CEE_SHR_UN)
           || (id >= MONO_CEE_CONV_I1 && id <= MONO_CEE_CONV_U8);
  }
}

/* The next opcode, its argument skipped; -1 if there is none that is known. */
static int
next_opcode (struct code *c)
{
  const uint8_t prefix = *c->at == 0xfe ? *c->at++ : 0xff;
  if (c->at == c->end)
    return -1;
  const uint8_t value = *c->at++;
  for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++)
    if (opcodes[i].value == value && opcodes[i].prefix == prefix) {
      const size_t size = argument_sizes[opcodes[i].argument];
      if (opcodes[i].argument == MonoInlineSwitch || (size_t) (c->end - c->at) < size)
        return -1;
      c->at += size;
      return (int) i;
    }
  return -1;
}

static bool
is_branch (const struct opcode *opcode)
{
  return opcode->argument == MonoInlineBrTarget || opcode->argument == MonoShortInlineBrTarget;
}

/* Whether code can neither call, allocate nor fail.  Where it branches the stack has to be empty,
 * so that what is on it is known everywhere. */
static bool
is_leaf_code (struct code *c, bool has_this)
{
  while (c->at < c->end) {
    const int id = next_opcode (c);
    if (id < 0 || !is_safe ((MonoOpcodeEnum) id))
      return false;
    const struct opcode *opcode = &opcodes[id];
    if (id == MONO_CEE_RET) {
      c->depth = 0;
      continue;
    }
    if (c->depth < opcode->pops || c->depth - opcode->pops + opcode->pushes > STACK_MAX)
      return false;
    const bool on_this = opcode->pops > 0 && c->is_this[c->depth - opcode->pops];
    if ((id == MONO_CEE_LDFLD || id == MONO_CEE_STFLD) && !on_this)
      return false;
    c->depth -= opcode->pops;
    const bool same = id == MONO_CEE_DUP && on_this;
    for (unsigned i = 0; i < opcode->pushes; i++)
      c->is_this[c->depth++] = same || (id == MONO_CEE_LDARG_0 && has_this);
    if (is_branch (opcode) && c->depth != 0)
      return false;
  }
  return true;
}

/* ---- methods that are inlined ---- */

/* The runtime inlines no longer code, unless the program requests it. */
#define INLINED_CODE_MAX 19

static bool
is_call_or_throw (MonoOpcodeEnum id)
{
  switch (id) {
  case MONO_CEE_JMP:
  case MONO_CEE_CALL:
  case MONO_CEE_CALLI:
  case MONO_CEE_CALLVIRT:
  case MONO_CEE_NEWOBJ:
  case MONO_CEE_THROW:
  case MONO_CEE_RETHROW:
    return true;
  default:
    return false;
  }
}

/* Code of clauses of exceptions. */
static bool
is_of_clause (MonoOpcodeEnum id)
{
  return id == MONO_CEE_LEAVE || id == MONO_CEE_LEAVE_S || id == MONO_CEE_ENDFINALLY
         || id == MONO_CEE_ENDFILTER;
}

/* Whether the opcode before c->at jumps back: the sign of its argument, which is little endian. */
static bool
jumps_back (const struct code *c, const struct opcode *opcode)
{
  return is_branch (opcode) && (c->at[-1] & 0x80) != 0;
}

/* Code that neither calls, nor loops, nor has a handler. */
static bool
test_inlinable (struct code *c, uint32_t flags)
{
  (void) flags;
  while (c->at < c->end) {
    const int id = next_opcode (c);
    if (id < 0 || is_call_or_throw ((MonoOpcodeEnum) id) || is_of_clause ((MonoOpcodeEnum) id)
        || jumps_back (c, &opcodes[id]))
      return false;
  }
  return true;
}

/* ---- a method's code ---- */

/* Calls `test` with the code of a method, if it has at most `most` bytes, and the flags of the
 * method.  False if it has no such code, or one of these implementation flags. */
static bool
test_code (MonoMethod *method, uint32_t refused, uint32_t most,
           bool (*test) (struct code *code, uint32_t flags))
{
  uint32_t kind = 0;
  const uint32_t flags = mono_method_get_flags (method, &kind);
  if ((flags & (MONO_METHOD_ATTR_ABSTRACT | MONO_METHOD_ATTR_PINVOKE_IMPL)) != 0
      || (kind
          & (MONO_METHOD_IMPL_ATTR_CODE_TYPE_MASK | MONO_METHOD_IMPL_ATTR_INTERNAL_CALL
             | MONO_METHOD_IMPL_ATTR_SYNCHRONIZED | refused))
             != 0)
    return false;
  MonoMethodHeader *header = mono_method_get_header (method);
  if (header == NULL)
    return false;
  uint32_t size = 0;
  const unsigned char *bytes = mono_method_header_get_code (header, &size, NULL);
  struct code code = { .at = bytes, .end = bytes + size };
  const bool result = bytes != NULL && size <= most && test (&code, flags);
  mono_metadata_free_mh (header);
  return result;
}

static bool
test_leaf (struct code *code, uint32_t flags)
{
  return is_leaf_code (code, (flags & MONO_METHOD_ATTR_STATIC) == 0);
}

bool
is_leaf (MonoMethod *method)
{
  return test_code (method, 0, CODE_MAX, test_leaf);
}

bool
is_inlinable (MonoMethod *method)
{
  return test_code (method, MONO_METHOD_IMPL_ATTR_NOINLINING, INLINED_CODE_MAX, test_inlinable);
}
