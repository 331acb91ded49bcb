/* text-mode.c -- a 0d at the end of a chunk waits for the next one. */
#include "config.h"

#include "decoder/input/text-mode.h"

bool
text_mode_is_likely (const uint8_t *bytes, size_t length)
{
  size_t ends = 0;
  for (size_t i = 0; i < length; i++)
    if (bytes[i] == '\n') {
      if (i == 0 || bytes[i - 1] != '\r')
        return false;
      ends++;
    }
  return ends != 0;
}

void
text_mode_init (struct text_mode *m, uint64_t *removed)
{
  *m = (struct text_mode){ .removed = removed, .bytes = g_byte_array_new () };
}

void
text_mode_clear (struct text_mode *m)
{
  g_clear_pointer (&m->bytes, g_byte_array_unref);
}

void
text_mode_restart (struct text_mode *m)
{
  m->has_cr = false;
  if (m->removed != NULL)
    *m->removed = 0;
}

void
text_mode_remove (struct text_mode *m, const uint8_t **bytes, size_t *length)
{
  static const uint8_t cr = '\r';
  const uint8_t *in = *bytes;
  GByteArray *out = m->bytes;
  const bool had_cr = m->has_cr;
  g_byte_array_set_size (out, 0);
  if (had_cr && (*length == 0 || in[0] != '\n'))
    g_byte_array_append (out, &cr, 1);
  *m->removed += had_cr && *length != 0 && in[0] == '\n';
  m->has_cr = *length != 0 && in[*length - 1] == '\r';
  size_t copied = 0; /* up to there */
  for (size_t i = 0; i < *length; i++)
    if (in[i] == '\r' && (i + 1 == *length || in[i + 1] == '\n')) {
      g_byte_array_append (out, in + copied, (guint) (i - copied));
      copied = i + 1;
      *m->removed += i + 1 < *length;
    }
  g_byte_array_append (out, in + copied, (guint) (*length - copied));
  *bytes = out->data;
  *length = out->len;
}
