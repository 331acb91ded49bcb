/* lines.c -- reads the lines of frames, and adds them up. */
#include "config.h"

#include "decoder/mlpd/analyses/lines.h"
#include "decoder/mlpd/analyses/analysis.h"
#include <string.h>

struct line_place {
  const char *file;
  guint method;
  guint line;
};

static guint
hash_place (gconstpointer place)
{
  const struct line_place *p = place;
  return g_direct_hash (p->file) ^ (p->method * 0x9E3779B9u) ^ (p->line * 0x85EBCA6Bu);
}

static gboolean
same_place (gconstpointer a, gconstpointer b)
{
  const struct line_place *x = a, *y = b;
  return x->file == y->file && x->method == y->method && x->line == y->line;
}

void
lines_init (struct lines *l)
{
  *l = (struct lines){ .all = g_array_new (FALSE, TRUE, sizeof (struct line_sum)),
                       .places = g_hash_table_new_full (hash_place, same_place, g_free, NULL),
                       .files = g_string_chunk_new (16 * 1024) };
}

void
lines_clear (struct lines *l)
{
  g_array_free (l->all, TRUE);
  g_hash_table_destroy (l->places);
  g_string_chunk_free (l->files);
}

static struct line_sum *
sum_of (struct lines *l, struct line_place place)
{
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (l->places, &place));
  if (index == 0) {
    const struct line_sum new = { .method = place.method, .line = place.line, .file = place.file };
    g_array_append_val (l->all, new);
    index = l->all->len;
    g_hash_table_insert (l->places, g_memdup2 (&place, sizeof place), GUINT_TO_POINTER (index));
  }
  return &g_array_index (l->all, struct line_sum, index - 1);
}

/* The place of a frame: "FILE:LINE", or "LINE" in the file of the frame before it that has one, or
 * nothing.  False: it has none. */
static bool
parse_frame (struct lines *l, const char *text, size_t n, struct line_place *place)
{
  const char *const colon = n != 0 ? g_strrstr_len (text, (gssize) n, ":") : NULL;
  const char *const digits = colon != NULL ? colon + 1 : text, *const end = text + n;
  guint64 line = 0;
  for (const char *p = digits; p < end; p++) {
    if (!g_ascii_isdigit (*p) || line > G_MAXUINT / 10 - 1)
      return false;
    line = 10 * line + (guint64) (*p - '0');
  }
  if (colon != NULL && colon != text) {
    g_autofree char *file = g_strndup (text, (gsize) (colon - text));
    place->file = g_string_chunk_insert_const (l->files, file);
  }
  place->line = (guint) line;
  return line != 0 && place->file != NULL;
}

void
lines_hit (struct lines *l, const guint *methods, size_t n, struct mlpd_string text)
{
  struct line_place place = { .file = NULL };
  const char *at = text.text, *const end = at != NULL ? at + text.length : NULL;
  bool is_first = true;
  l->hits++;
  for (size_t i = 0; i < n && at != NULL && at < end; i++) {
    const char *stop = memchr (at, '\n', (size_t) (end - at));
    const size_t length = (size_t) ((stop != NULL ? stop : end) - at);
    place.method = methods[i];
    if (parse_frame (l, at, length, &place)) {
      struct line_sum *sum = sum_of (l, place);
      sum->hits += is_first;
      sum->total += sum->seen != l->hits;
      sum->seen = l->hits;
      is_first = false;
    }
    at = stop != NULL ? stop + 1 : end;
  }
  l->with_lines += !is_first;
}

/* ---- as an analysis ---- */

static void
init (void *state, const struct scan_options *options)
{
  (void) options;
  lines_init (state);
}

static void
clear (void *state)
{
  lines_clear (state);
}

static void
handle_hit (void *state, const struct analysis_event *e)
{
  const struct mlpd_sample_hit *hit = &e->payload->sample_hit;
  if (e->usage.cpu_ns < e->usage.elapsed_ns - e->usage.cpu_ns)
    return;
  GArray *methods = g_array_new (FALSE, FALSE, sizeof (guint));
  for (size_t i = 0; e->usage.lines.length != 0 && i < hit->frames.count; i++) {
    const guint method
        = symbols_use (e->model->symbols, SYMBOL_METHOD, hit->frames.items[i].method);
    g_array_append_val (methods, method);
  }
  lines_hit (state, (const guint *) (const void *) methods->data, methods->len, e->usage.lines);
  g_array_free (methods, TRUE);
}

static const struct analysis_handlers handlers[] = {
  { MLPD_SAMPLE_HIT, handle_hit, NULL },
};

const struct analysis lines_analysis = {
  .state_bytes = sizeof (struct lines), .init = init, .clear = clear, ANALYSIS_HANDLERS (handlers)
};
