/* mono-lines.c -- looks lines up once for each place in the code, while there is room. */
#include "config.h"

#include "profiler/mono/mono-lines.h"
#include <mono/metadata/mono-debug.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  PLACES = 1 << 14,
  FILES = 1 << 12,
  HIDDEN = 0xfeefee, /* a line that compilers give to code without one */
};

/* A place in the code whose line is known, or that has none (file NULL). */
static struct place {
  const char *code;
  const MonoMethod *method;
  const char *file;
  uint32_t line;
} places[PLACES];

static char *files[FILES];

/* The one copy of a file's path; NULL if there is no room. */
static const char *
find_file (const char *path)
{
  uint32_t hash = 5381;
  for (const char *p = path; *p != 0; p++)
    hash = hash * 33 + (unsigned char) *p;
  for (unsigned i = 0; i < FILES; i++) {
    char **slot = &files[(hash + i) % FILES];
    if (*slot == NULL)
      *slot = strdup (path);
    if (*slot == NULL || strcmp (*slot, path) == 0)
      return *slot;
  }
  return NULL;
}

/* A method of another domain, or that was freed, must not be looked up. */
static bool
is_loaded (const MonoMethod *method, MonoDomain *domain, const char *code, uint32_t *offset)
{
  MonoJitInfo *info
      = domain == mono_get_root_domain () ? mono_jit_info_table_find (domain, (char *) code) : NULL;
  if (info == NULL || mono_jit_info_get_method (info) != method)
    return false;
  *offset = (uint32_t) (code - (const char *) mono_jit_info_get_code_start (info));
  return true;
}

static void
look_up (struct place *place, MonoMethod *method, MonoDomain *domain, const char *code)
{
  uint32_t offset;
  *place = (struct place){ .code = code, .method = method };
  MonoDebugSourceLocation *location
      = is_loaded (method, domain, code, &offset)
            ? mono_debug_lookup_source_location (method, offset, domain)
            : NULL;
  if (location == NULL)
    return;
  if (location->source_file != NULL && strchr (location->source_file, '\n') == NULL
      && location->row != 0 && location->row != HIDDEN) {
    place->file = find_file (location->source_file);
    place->line = location->row;
  }
  mono_debug_free_source_location (location);
}

void
lines_begin (struct frame_lines *lines, bool is_wanted)
{
  lines->length = lines->pending = 0;
  lines->text[0] = 0;
  lines->file = NULL;
  lines->is_full = !is_wanted || !mono_debug_enabled ();
}

/* A line of a frame, after empty ones of the frames before it. */
static void
append (struct frame_lines *l, const struct place *place)
{
  const bool is_same = place->file == l->file;
  const size_t room = sizeof l->text - l->length;
  const int n = l->pending < room
                    ? snprintf (l->text + l->length + l->pending, room - l->pending, "%s%s%u",
                                is_same ? "" : place->file, is_same ? "" : ":", place->line)
                    : -1;
  if (n < 0 || (size_t) n + 1 >= room - l->pending) { /* and a newline */
    l->is_full = true;
    l->text[l->length] = 0;
    return;
  }
  memset (l->text + l->length, '\n', l->pending);
  l->length += l->pending + (size_t) n;
  l->file = place->file;
  l->pending = 0;
}

void
lines_add (struct frame_lines *l, MonoMethod *method, MonoDomain *domain, char *code, bool is_call)
{
  if (l->is_full)
    return;
  const char *at = code != NULL && is_call ? code - 1 : code;
  struct place *place = &places[((uintptr_t) at * UINT64_C (0x9E3779B97F4A7C15) >> 32) % PLACES];
  if (at != NULL && (place->code != at || place->method != method))
    look_up (place, method, domain, at);
  if (at != NULL && place->file != NULL)
    append (l, place);
  l->pending++;
}
