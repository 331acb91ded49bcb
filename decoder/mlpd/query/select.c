/* select.c -- makes a filter of a selection, and scans the log with it; reads skipped buffers until
 * all missing names are found. */
#include "config.h"

#include "decoder/mlpd/query/select.h"
#include "decoder/mlpd/analyses/heapshots.h"
#include "decoder/mlpd/analyses/metadata.h"
#include "decoder/mlpd/analyses/objects.h"
#include "decoder/mlpd/analyses/program-marks.h"
#include "decoder/mlpd/index/buffers.h"
#include "decoder/mlpd/query/object-queries.h"
#include "decoder/mlpd/query/span-search.h"

/* ---- requested objects ---- */

bool
select_objects (struct summary *summary, struct log_input *input, unsigned threads,
                const struct selection *selection, struct object_filter *filter,
                const struct log_scan_watch *watch, GError **error)
{
  if (filter == NULL)
    return log_selection_scan (summary, input, threads, selection, watch, error);
  const struct log_scan_watch quiet = { .progress = watch->progress, .data = watch->data };
  if (!log_input_make_rewindable (input, error)
      || !log_selection_scan (summary, input, threads, selection, watch, error))
    return false;
  for (guint scans = 1;; scans++) {
    struct objects *objects = SUMMARY_STATE (summary, objects); /* summary_init makes another */
    summary_merge_items (summary);
    objects_resolve (objects, &summary->symbols);
    const bool more = objects_extend_filter (objects, &summary->symbols, filter);
    objects->complete = !more && !filter->is_full && objects->events_left_out == 0;
    if (!more || scans == OBJECT_SCANS_MAX)
      return true;
    const struct scan_options options = summary->options;
    summary_clear (summary);
    summary_init (summary, &options);
    log_input_rewind (input);
    if (!log_selection_scan (summary, input, threads, selection, &quiet, error))
      return false;
  }
}

/* ---- names that are missing in the buffers that were passed ---- */

struct name_query {
  struct summary *s;
  GHashTable *missing[SYMBOL_KINDS]; /* uint64_t address -> index + 1 of its symbol */
  struct symbols announced;          /* classes, which a vtable may be of, and images */
  struct mlpd_decoder decoder;
};

static void
miss (struct name_query *x, enum symbol_kind kind, guint index)
{
  const struct symbol *symbol = &g_array_index (x->s->symbols.all[kind], struct symbol, index);
  g_hash_table_replace (x->missing[kind], g_memdup2 (&symbol->address, sizeof symbol->address),
                        GUINT_TO_POINTER (index + 1));
}

static void
begin_search (struct name_query *x)
{
  for (int kind = 0; kind < SYMBOL_KINDS; kind++) {
    x->missing[kind] = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
    const GArray *all = x->s->symbols.all[kind];
    for (guint i = 0; i < all->len; i++) {
      const struct symbol *symbol = &g_array_index (all, struct symbol, i);
      if (kind == SYMBOL_VTABLE ? symbol->klass == 0 : symbol->name == NULL)
        miss (x, (enum symbol_kind) kind, i);
    }
  }
}

static bool
is_done (const struct name_query *x)
{
  guint missing = 0;
  for (int kind = 0; kind < SYMBOL_KINDS; kind++)
    missing += g_hash_table_size (x->missing[kind]);
  return missing == 0;
}

/* The symbol that waits for the announcement; NULL if none does. */
static struct symbol *
found (struct name_query *x, enum symbol_kind kind, uint64_t address)
{
  const guint place = GPOINTER_TO_UINT (g_hash_table_lookup (x->missing[kind], &address));
  g_hash_table_remove (x->missing[kind], &address);
  return place != 0 ? &g_array_index (x->s->symbols.all[kind], struct symbol, place - 1) : NULL;
}

static void
retain_name (struct name_query *x, enum symbol_kind kind, uint64_t address, const char *name)
{
  struct symbol *symbol = found (x, kind, address);
  if (symbol != NULL)
    symbol->name = g_string_chunk_insert_const (x->s->symbols.names, name);
}

/* A class was found to be of the image at this address. */
static void
set_image (struct name_query *x, struct symbol *klass, uint64_t address)
{
  if (klass->image != 0 || address == 0)
    return;
  const guint image = symbols_use (&x->s->symbols, SYMBOL_IMAGE, address);
  klass->image = image + 1;
  if (g_array_index (x->s->symbols.all[SYMBOL_IMAGE], struct symbol, image).name != NULL)
    return;
  miss (x, SYMBOL_IMAGE, image);
  const char *name = symbols_current_name (&x->announced, SYMBOL_IMAGE, address);
  if (name != NULL)
    retain_name (x, SYMBOL_IMAGE, address, name);
}

static void
handle_class (struct name_query *x, uint64_t address, const char *name, uint64_t image)
{
  struct symbol *symbol = found (x, SYMBOL_CLASS, address);
  if (symbol == NULL)
    return;
  symbol->name = g_string_chunk_insert_const (x->s->symbols.names, name);
  set_image (x, symbol, image);
}

/* The address of the image of a class that was announced; 0: unknown. */
static uint64_t
announced_image (struct name_query *x, uint64_t klass)
{
  const struct symbols *s = &x->announced;
  const guint index = symbols_use (&x->announced, SYMBOL_CLASS, klass);
  const guint image = g_array_index (s->all[SYMBOL_CLASS], struct symbol, index).image;
  return image != 0 ? g_array_index (s->all[SYMBOL_IMAGE], struct symbol, image - 1).address : 0;
}

static void
handle_vtable (struct name_query *x, uint64_t vtable, uint64_t address)
{
  struct symbol *symbol = found (x, SYMBOL_VTABLE, vtable);
  if (symbol == NULL)
    return;
  const guint klass = symbols_use (&x->s->symbols, SYMBOL_CLASS, address);
  symbol->klass = klass + 1;
  if (g_array_index (x->s->symbols.all[SYMBOL_CLASS], struct symbol, klass).name != NULL)
    return;
  miss (x, SYMBOL_CLASS, klass);
  const char *name = symbols_current_name (&x->announced, SYMBOL_CLASS, address);
  if (name != NULL)
    handle_class (x, address, name, announced_image (x, address));
}

/* The first thread of this id, if it has events and no name. */
static struct thread *
nameless_thread (const struct name_query *x, uint64_t id)
{
  const GPtrArray *all = x->s->threads.all;
  for (guint i = 0; i < all->len; i++) {
    struct thread *t = g_ptr_array_index (all, i);
    if (t->id == id)
      return t->events != 0 && t->name == NULL ? t : NULL;
  }
  return NULL;
}

static void
handle_thread (struct name_query *x, const struct mlpd_metadata_thread *e)
{
  struct thread *t = nameless_thread (x, e->thread);
  if (t != NULL && e->action == MLPD_LOAD_NAME && e->name.text != NULL)
    t->name = g_strdup (e->name.text);
}

static void
handle_event (struct name_query *x, enum mlpd_kind kind, const union mlpd_payload *p)
{
  SUMMARY_STATE (x->s, metadata)->has_domains |= metadata_names_domain (kind, p);
  switch (kind) {
  case MLPD_METHOD_JIT:
    retain_name (x, SYMBOL_METHOD, p->method_jit.method, p->method_jit.name.text);
    break;
  case MLPD_METADATA_CLASS:
    symbols_announce_class (&x->announced, p->metadata_class.klass, p->metadata_class.name,
                            p->metadata_class.image);
    handle_class (x, p->metadata_class.klass, p->metadata_class.name.text, p->metadata_class.image);
    break;
  case MLPD_METADATA_IMAGE:
    symbols_announce (&x->announced, SYMBOL_IMAGE, p->metadata_image.image, p->metadata_image.name);
    retain_name (x, SYMBOL_IMAGE, p->metadata_image.image, p->metadata_image.name.text);
    break;
  case MLPD_METADATA_VTABLE:
    handle_vtable (x, p->metadata_vtable.vtable, p->metadata_vtable.klass);
    break;
  case MLPD_METADATA_THREAD:
    handle_thread (x, &p->metadata_thread);
    break;
  default:
    break;
  }
}

static void
search_buffer (struct name_query *x, const uint8_t *bytes, size_t length)
{
  struct cursor c = cursor_over (bytes, length);
  struct mlpd_buffer_header header;
  enum mlpd_kind kind;
  mlpd_decode_buffer_header (&c, &header);
  mlpd_decoder_start_buffer (&x->decoder, &header);
  while (c.at < c.end && mlpd_decode_event (&x->decoder, &c, &kind) == MLPD_DECODED)
    handle_event (x, kind, &x->decoder.payload);
}

static void
search_buffers (struct name_query *x, struct log_input *input, const struct buffer_filter *filter)
{
  const GArray *buffers = filter->index->buffers;
  GByteArray *bytes = g_byte_array_new ();
  for (guint i = 0; i < buffers->len; i++) {
    const struct indexed_buffer *buffer = &g_array_index (buffers, struct indexed_buffer, i);
    const bool may_name_thread = buffer->is_first && nameless_thread (x, buffer->thread) != NULL;
    if (is_done (x) && !may_name_thread)
      continue;
    if (buffer_index_knows (filter->index, i)
        && (buffer->flags & (BUFFER_HAS_NAMES | BUFFER_IS_DAMAGED)) == 0)
      continue;
    if (buffer_filter_use (filter, buffer->thread, buffer->time_base, buffer->offset)
        != BUFFER_SKIP)
      continue;
    g_byte_array_set_size (bytes, (guint) indexed_buffer_size (buffer));
    if (log_input_read_at (input, buffer->offset, bytes->data, bytes->len) == bytes->len)
      search_buffer (x, bytes->data, bytes->len);
  }
  g_byte_array_unref (bytes);
}

/* Reads the buffers of the filter's index that were passed, in order, until all that the summary
 * uses has a name; for names of threads only the first buffer of each, which mostly states it.
 * Damage in them is not reported.  Before summary_finish. */
static void
name_search (struct summary *s, struct log_input *input, const struct buffer_filter *filter)
{
  struct name_query x = { .s = s };
  symbols_init (&x.announced);
  begin_search (&x);
  mlpd_decoder_start_file (&x.decoder, &filter->index->header);
  search_buffers (&x, input, filter);
  mlpd_decoder_clear (&x.decoder);
  for (int kind = 0; kind < SYMBOL_KINDS; kind++)
    g_hash_table_destroy (x.missing[kind]);
  symbols_clear (&x.announced);
}

/* ---- the selection ---- */

/* Times count from the first buffer, whether it is read or not. */
static void
begin_with_index (struct buffer_filter *filter, struct summary *summary,
                  const struct buffer_index *index)
{
  const uint64_t first = g_array_index (index->buffers, struct indexed_buffer, 0).time_base;
  buffer_filter_begin (filter, first);
  log_begin (&summary->log, first);
}

/* Time of the last event of the buffers that were marked. */
static uint64_t
last_marked_time (const struct buffer_index *index)
{
  uint64_t last = 0;
  for (guint i = 0; i < index->buffers->len; i++)
    last = MAX (last, g_array_index (index->buffers, struct indexed_buffer, i).latest);
  return last;
}

/* The selection's times, if they are between marks. */
static bool
find_bounds (struct buffer_filter *filter, struct mark_search *marks, uint64_t first,
             GError **error)
{
  if (!selection_has_marks (filter->selection))
    return true;
  filter->begun = true;
  return mark_search_bounds (marks, first, filter->last_time, &filter->from, &filter->to, error);
}

/* Searches for names of threads, the last time and marks: at all events, or in the buffers of a
 * marked index that have names. */
static bool
survey (struct buffer_filter *filter, struct buffer_index *index, struct log_input *input,
        unsigned threads, GError **error)
{
  if (!log_input_make_rewindable (input, error))
    return false;
  struct buffer_filter names;
  buffer_filter_init (&names, NULL, index);
  names.names_only = true;
  struct summary s;
  const struct scan_options options = { .filter = &names };
  summary_init (&s, &options);
  struct mark_search marks;
  mark_search_init (&marks, filter->selection);
  SUMMARY_STATE (&s, program_marks)->search = &marks;
  if (index != NULL)
    begin_with_index (&names, &s, index);
  log_scan (&s, input, threads, NULL, NULL); /* damage is reported when it is read again */
  summary_finish (&s);
  filter->last_time = s.log.latest;
  if (index != NULL)
    filter->last_time = MAX (filter->last_time, last_marked_time (index));
  for (guint i = 0; i < s.threads.all->len && filter->threads != NULL; i++) {
    const struct thread *t = g_ptr_array_index (s.threads.all, i);
    if (t->offset != 0)
      buffer_filter_add_thread (filter, t->id, t->offset, t->name);
  }
  bool good = find_bounds (filter, &marks, s.log.first_time, error);
  mark_search_clear (&marks);
  summary_clear (&s);
  buffer_filter_clear (&names);
  log_input_rewind (input);
  if (good && selection_has_span (filter->selection))
    good = (filter->places = span_search (input, &filter->selection->span, error)) != NULL;
  return good;
}

bool
log_selection_survey (struct buffer_filter *filter, struct log_input *input, GError **error)
{
  struct buffer_index *index = buffer_index_read (input);
  if (index != NULL)
    buffer_flags_make (index, input, 0);
  const bool good = survey (filter, index, input, 0, error);
  buffer_index_free (index);
  return good;
}

/* Must the rest be read, too?  An address may have stood for another entity when it was used than
 * the one that was found; and heap snapshots are numbered. */
static bool
needs_all (const struct summary *s)
{
  return SUMMARY_STATE (s, metadata)->has_domains || SUMMARY_STATE (s, heapshots)->shots->len != 0;
}

static bool
prepare (struct buffer_filter *filter, struct buffer_index *index, struct log_input *input,
         unsigned threads, GError **error)
{
  const bool needs_last = selection_needs_last_time (filter->selection);
  const bool has_last
      = needs_last && index != NULL && buffer_index_last_time (index, input, &filter->last_time);
  const bool needs_survey = filter->threads != NULL || (needs_last && !has_last)
                            || selection_has_marks (filter->selection)
                            || selection_has_span (filter->selection);
  if (index != NULL && (filter->needs_flags || needs_survey))
    buffer_flags_make (index, input, threads);
  return !needs_survey || survey (filter, index, input, threads, error);
}

/* Once more, with a view of all names and heap snapshots in turn. */
static bool
scan_all (struct summary *summary, struct log_input *input, unsigned threads,
          struct buffer_filter *filter, struct buffer_index *index, GError **error)
{
  const struct scan_options options = summary->options;
  buffer_flags_make (index, input, threads);
  summary_clear (summary);
  summary_init (summary, &options);
  summary_begin_part (summary, filter);
  begin_with_index (filter, summary, index);
  const bool good = log_scan (summary, input, threads, NULL, error);
  summary_merge_items (summary);
  return good;
}

/* As reports count them: those that have events. */
static guint
count_marked_threads (const struct buffer_index *index)
{
  guint count = 0;
  for (guint i = 0; i < index->buffers->len; i++) {
    const struct indexed_buffer *b = &g_array_index (index->buffers, struct indexed_buffer, i);
    count += (b->flags & BUFFER_BEGINS_THREAD) != 0 && b->length != 0;
  }
  return count;
}

/* Likewise, of those that had buffers.  An end mark is of no thread. */
static guint
count_threads (const struct threads *threads)
{
  guint count = 0;
  for (guint i = 0; i < threads->all->len; i++) {
    const struct thread *t = g_ptr_array_index (threads->all, i);
    count += t->offset != 0 && t->id != 0;
  }
  return count;
}

/* The events of a log of which none was selected. */
static void
count_all (struct summary *s, struct log_input *input, unsigned threads, struct buffer_index *index)
{
  uint64_t last = s->log.latest;
  if (index != NULL) {
    buffer_flags_make (index, input, threads);
    s->log.all_threads = count_marked_threads (index);
    last = MAX (last, last_marked_time (index));
  } else {
    s->log.all_threads = count_threads (&s->threads);
  }
  s->log.all_ns = span_ns (s->log.first_time, last);
}

/* Events of selected threads about others, such as their names, are not of interest by
 * themselves. */
static void
forget_others (struct summary *s, const struct selection *selection)
{
  for (guint i = 0; i < s->threads.all->len; i++) {
    struct thread *t = g_ptr_array_index (s->threads.all, i);
    t->announced &= t->events != 0 || selection_has_thread (selection, t->id, t->name);
  }
}

/* How much of the log's time is selected: up to the last selected event, unless a time is stated.
 * Later events are not read where there is an index. */
static void
set_selected_ns (struct log *log, struct log_input *input, const struct buffer_filter *filter,
                 struct buffer_index *index)
{
  uint64_t end = log->last_time, last;
  if (filter->begun && filter->to != UINT64_MAX) {
    end = MAX (end, log->latest);
    if (index != NULL && buffer_index_last_time (index, input, &last))
      end = MAX (end, last);
  }
  if (filter->begun)
    log->selected_ns = span_ns (MAX (filter->from, log->first_time), MIN (filter->to, end));
}

static bool
scan_selected (struct summary *summary, struct log_input *input, unsigned threads,
               struct buffer_filter *filter, struct buffer_index *index,
               const struct log_scan_watch *watch, GError **error)
{
  if (!prepare (filter, index, input, threads, error))
    return false;
  summary_begin_part (summary, filter);
  if (index != NULL)
    begin_with_index (filter, summary, index);
  bool good = log_scan (summary, input, threads, watch, error);
  summary_merge_items (summary);
  if (good && index != NULL && !index->has_flags) {
    name_search (summary, input, filter);
    if (needs_all (summary))
      good = scan_all (summary, input, threads, filter, index, error);
  }
  if (good && summary->log.events == 0)
    count_all (summary, input, threads, index);
  forget_others (summary, filter->selection);
  set_selected_ns (&summary->log, input, filter, index);
  summary_end_part (summary);
  return good;
}

bool
log_selection_scan (struct summary *summary, struct log_input *input, unsigned threads,
                    const struct selection *selection, const struct log_scan_watch *watch,
                    GError **error)
{
  if (selection->threads == NULL && !selection_has_times (selection))
    return log_scan (summary, input, threads, watch, error);
  struct buffer_index *index = buffer_index_read (input);
  struct buffer_filter filter;
  buffer_filter_init (&filter, selection, index);
  const bool good = scan_selected (summary, input, threads, &filter, index, watch, error);
  buffer_filter_clear (&filter);
  buffer_index_free (index);
  return good;
}
