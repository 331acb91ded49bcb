/* mlpd-origin.c -- see mlpd-origin.h. */
#include "decoder/formats/mlpd-origin.h"

#include <proflog/module-options.h>

/* The options that our module was given, from their ':' on; NULL if it was another one. */
static const char *
our_options (const struct mlpd_file_header *header)
{
  static const char name[] = "proflog";
  const char *const text = header->arguments.text;
  if (text == NULL || strncmp (text, name, sizeof name - 1) != 0)
    return NULL;
  const char *const end = text + sizeof name - 1;
  return *end == 0 || *end == ':' ? end : NULL;
}

bool
mlpd_header_is_ours (const struct mlpd_file_header *header)
{
  /* Only our writer says in version 0 what system it ran on. */
  return header->system != 0 || (header->major != 0 && our_options (header) != NULL);
}

uint64_t
mlpd_header_alloc_sampling (const struct mlpd_file_header *header)
{
  static const char name[] = "alloc";
  const size_t length = sizeof name - 1;
  const char *text = our_options (header);
  uint64_t sampling = 0;
  if (text == NULL || *text == 0)
    return 0;
  for (text++; *text != 0;) {
    char option[PROFLOG_OPTION_SIZE];
    if (proflog_next_option (&text, option, sizeof option) != PROFLOG_OPTION_READ)
      break;
    /* The last one counts. */
    if (strcmp (option, name) == 0)
      sampling = 0;
    else if (strncmp (option, name, length) == 0 && option[length] == '=')
      proflog_parse_size (option + length + 1, 1, UINT64_MAX, &sampling);
  }
  return sampling;
}
