/* mlpd-origin.c -- parses the writer's version and options in a file header. */
#include "config.h"

#include "decoder/mlpd/mlpd-origin.h"

/* The options that our module was given, from their ':' on; NULL if it was another one. */
static const char *
our_options (const struct mlpd_file_header *header)
{
  static const char name[] = PROFLOG_MODULE_NAME;
  const char *const text = header->arguments.text;
  if (text == NULL || strncmp (text, name, sizeof name - 1) != 0)
    return NULL;
  const char *const end = text + sizeof name - 1;
  return *end == 0 || *end == ':' ? end : NULL;
}

bool
mlpd_header_is_ours (const struct mlpd_file_header *header)
{
  /* Only our writer states its system in version 0. */
  return header->system != 0 || (header->major != 0 && our_options (header) != NULL);
}

/* The value of the last option of this name; empty if that has none, or is not there. */
static void
find_value (const struct mlpd_file_header *header, const char *name,
            char value[static PROFLOG_OPTION_SIZE])
{
  const size_t length = strlen (name);
  const char *text = our_options (header);
  value[0] = 0;
  if (text == NULL || *text == 0)
    return;
  for (text++; *text != 0;) {
    char option[PROFLOG_OPTION_SIZE];
    if (proflog_next_option (&text, option, sizeof option) != PROFLOG_OPTION_READ)
      break;
    if (strcmp (option, name) == 0)
      value[0] = 0;
    else if (strncmp (option, name, length) == 0 && option[length] == '=')
      strcpy (value, option + length + 1);
  }
}

uint64_t
mlpd_header_alloc_sampling (const struct mlpd_file_header *header)
{
  char value[PROFLOG_OPTION_SIZE];
  uint64_t sampling = 0;
  find_value (header, "alloc", value);
  proflog_parse_size (value, 1, UINT64_MAX, &sampling);
  return sampling;
}

struct proflog_calls_mode
mlpd_header_calls_mode (const struct mlpd_file_header *header)
{
  char value[PROFLOG_OPTION_SIZE];
  struct proflog_calls_mode mode;
  find_value (header, "calls", value);
  return proflog_parse_calls (value, &mode) ? mode : (struct proflog_calls_mode){ 0 };
}

uint64_t
mlpd_header_cpu_sample_interval (const struct mlpd_file_header *header)
{
  char value[PROFLOG_OPTION_SIZE];
  uint64_t ns = 0;
  find_value (header, PROFLOG_CPU_SAMPLE_INTERVAL, value);
  proflog_parse_size (value, 1, UINT64_MAX, &ns);
  return ns;
}
