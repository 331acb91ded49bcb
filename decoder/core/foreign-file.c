/* foreign-file.c -- knows files by their first bytes. */
#include "config.h"

#include "decoder/core/foreign-file.h"
#include <glib.h>
#include <string.h>

static const struct foreign {
  const char *begin;
  const char *name;
} files[] = {
  /* From git-lfs-spec: "version" is the first line. */
  { "version https://git-lfs", "a pointer of Git LFS: 'git lfs pull' gets the file itself" },
  /* From GHC's user's guide, "hp2ps": JOB comes first. */
  { "JOB \"", "a heap profile of GHC (.hp): with +RTS -l -h the eventlog has it" },
  { "<!doctype html", "a page of HTML, such as a server sends in place of a file" },
  { "<html", "a page of HTML, such as a server sends in place of a file" },
};

/* Letters may be large or small. */
static bool
begins_with (const char *text, size_t length, const char *begin)
{
  const size_t n = strlen (begin);
  return length >= n && g_ascii_strncasecmp (text, begin, n) == 0;
}

/* Moves over blanks at the beginning, which pages have. */
static const char *
skip_blanks (const uint8_t *bytes, size_t *length)
{
  const char *text = (const char *) bytes;
  while (*length != 0 && g_ascii_isspace (*text)) {
    text++;
    --*length;
  }
  return text;
}

bool
foreign_file_may_follow (const uint8_t *bytes, size_t length)
{
  const bool is_short = length < FOREIGN_FILE_BYTES;
  const char *text = skip_blanks (bytes, &length);
  bool may = false;
  for (size_t i = 0; i < G_N_ELEMENTS (files); i++)
    may |= length < strlen (files[i].begin)
           && g_ascii_strncasecmp (text, files[i].begin, length) == 0;
  return is_short && may;
}

const char *
foreign_file_name (const uint8_t *bytes, size_t length)
{
  const char *text = skip_blanks (bytes, &length);
  for (size_t i = 0; i < G_N_ELEMENTS (files); i++)
    if (begins_with (text, length, files[i].begin))
      return files[i].name;
  return NULL;
}
