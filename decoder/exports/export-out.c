/* export-out.c -- puts bytes when they are many. */
#include "config.h"

#include "decoder/exports/export-out.h"

/* Bytes that wait at most, more or less. */
#define MUCH (1u << 16)

void
export_flush (struct export_out *out)
{
  if (!out->failed && out->bytes->len > 0)
    out->failed = !out->put (out->data, out->bytes);
  g_string_truncate (out->bytes, 0);
}

void
export_flush_much (struct export_out *out)
{
  if (out->bytes->len >= MUCH)
    export_flush (out);
}
