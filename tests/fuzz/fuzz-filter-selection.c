/* fuzz-filter-selection.c -- any lines "OPTION VALUE" as options that select a part of a log, and
 * their selection. */
#include "config.h"

#include "decoder/filter/filter-options.h"
#include "tests/fuzz/fuzz.h"

static const struct {
  const char *name;
  bool (*parse) (struct selection *selection, const char *text, GError **error);
} options[] = { { "thread", selection_thread },       { "time-range", selection_time_range },
                { "filter", selection_filter },       { "exclude", selection_exclude },
                { "depth", selection_depth },         { "min-time", selection_min_time },
                { "min-bytes", selection_min_bytes }, { "find", selection_find },
                { "track", selection_track },         { "cap", selection_cap } };

/* False if the line is refused. */
static bool
parse_line (struct selection *s, const char *line)
{
  const size_t length = strcspn (line, " ");
  const char *value = line[length] != 0 ? line + length + 1 : "";
  for (guint i = 0; i < G_N_ELEMENTS (options); i++) {
    GError *error = NULL;
    if (strlen (options[i].name) != length || strncmp (options[i].name, line, length) != 0)
      continue;
    if (options[i].parse (s, value, &error))
      continue;
    if (error == NULL || *error->message == 0)
      g_error ("there is no reason why '%s' is refused", line);
    g_error_free (error);
    return false;
  }
  return true;
}

/* A range of times has a beginning before its end, or one of them is in percent. */
static void
inspect (const struct selection *s, const char *text)
{
  static const uint64_t numbers[] = { 0, 1, 1000, UINT32_MAX, UINT64_MAX };
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    uint64_t from, to;
    selection_time_bounds (s, 1000, 1000 + numbers[i] / 2, &from, &to);
    if (from > to && s->from.percent == s->to.percent)
      g_error ("from %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT, from, to);
    selection_has_thread (s, numbers[i], i % 2 == 0 ? "main" : NULL);
    selection_has_cap (s, (unsigned) numbers[i]);
    selection_tracks (s, numbers[i]);
    selection_finds (s, text, numbers[i]);
  }
  selection_accepts_name (s, "System.String:Concat (string,string)");
  selection_accepts_name (s, text);
  selection_is_partial (s);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  struct selection selection = { 0 };
  g_autofree char *text
      = fuzz_text (data, MIN (size, 512)); /* regular expressions may take their time */
  g_auto (GStrv) lines = g_strsplit (text, "\n", 16);
  bool is_good = true;
  for (char **line = lines; *line != NULL && is_good; line++)
    is_good = parse_line (&selection, *line);
  if (is_good)
    inspect (&selection, text);
  selection_clear (&selection);
  return 0;
}
