/* mono-inlined.c -- methods that the runtime inlines.
 *
 * Short methods without calls are inlined where they do not report calls: they are a large part of
 * the calls of most programs, and the smallest part of its time.  The code is inspected once, when
 * it is compiled.
 */
#include "config.h"

#include "profiler/mono/mono-private.h"
#include <mono/metadata/attrdefs.h>
#include <mono/metadata/loader.h>
#include <mono/metadata/metadata.h>
#include <mono/metadata/opcodes.h>

struct opcode {
  uint8_t argument, prefix, value;
};

#define OPDEF(id, name, pops, pushes, argument, x, size, prefix, value, flow)                      \
  { Mono##argument, prefix, value },
static const struct opcode opcodes[] = {
#include <mono/cil/opcode.def>
};
#undef OPDEF

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

struct code {
  const uint8_t *at, *end;
};

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
is_inlinable_code (struct code *c)
{
  while (c->at < c->end) {
    const int id = next_opcode (c);
    if (id < 0 || is_call_or_throw ((MonoOpcodeEnum) id) || is_of_clause ((MonoOpcodeEnum) id)
        || jumps_back (c, &opcodes[id]))
      return false;
  }
  return true;
}

bool
inlined_is_possible (MonoMethod *method)
{
  uint32_t kind = 0;
  const uint32_t flags = mono_method_get_flags (method, &kind);
  if ((flags & (MONO_METHOD_ATTR_ABSTRACT | MONO_METHOD_ATTR_PINVOKE_IMPL)) != 0
      || (kind
          & (MONO_METHOD_IMPL_ATTR_CODE_TYPE_MASK | MONO_METHOD_IMPL_ATTR_INTERNAL_CALL
             | MONO_METHOD_IMPL_ATTR_SYNCHRONIZED | MONO_METHOD_IMPL_ATTR_NOINLINING))
             != 0)
    return false;
  MonoMethodHeader *header = mono_method_get_header (method);
  if (header == NULL)
    return false;
  uint32_t size = 0;
  const unsigned char *bytes = mono_method_header_get_code (header, &size, NULL);
  struct code code = { .at = bytes, .end = bytes + size };
  const bool result = bytes != NULL && size <= INLINED_CODE_MAX && is_inlinable_code (&code);
  mono_metadata_free_mh (header);
  return result;
}
