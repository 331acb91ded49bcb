/* dump-filter.c -- which items pass --filter and --exclude. */
#include "config.h"

#include "decoder/views/dump.h"

struct names {
  const struct dump *dump;
  bool wanted;   /* some name is */
  bool unwanted; /* likewise */
};

static void
look_at (struct names *n, const char *name)
{
  n->wanted |= selection_filters (n->dump->selection, name);
  n->unwanted |= selection_excludes (n->dump->selection, name);
}

static void
look_at_number (const struct mlpd_field *field, uint64_t value, void *data)
{
  struct names *n = data;
  bool named = field->unit == MLPD_UNIT_CLASS || field->unit == MLPD_UNIT_METHOD;
  const char *name = named ? dump_name (n->dump, field->unit, value) : NULL;
  if (name != NULL)
    look_at (n, name);
}

static void
look_at_text (const struct mlpd_field *field, struct mlpd_string text, void *data)
{
  (void) field;
  look_at (data, text.text);
}

/* Backtraces and what objects refer to are not what the event is about. */
static void
skip_list (const struct mlpd_field *field, struct mlpd_list list, void *data)
{
  (void) field;
  (void) list;
  (void) data;
}

static void
skip_open (const struct mlpd_field *field, size_t count, void *data)
{
  (void) field;
  (void) count;
  (void) data;
}

static void
skip_item (void *data)
{
  (void) data;
}

static void
skip_close (const struct mlpd_field *field, void *data)
{
  (void) field;
  (void) data;
}

/* Is the thread asked for, and the time? */
static bool
is_chosen (const struct dump *d, const struct mlpd_item *item)
{
  if (d->choice == NULL || item->buffer == NULL || item->type == MLPD_ITEM_DAMAGE)
    return true;
  if (item->type == MLPD_ITEM_EVENT)
    return buffer_choice_has_event (d->choice, item->buffer->thread, d->time, item->offset,
                                    item->header->data_version, item->kind, item->payload);
  return buffer_choice_has_time (d->choice, d->time)
         && buffer_choice_has_thread (d->choice, item->buffer->thread, item->offset);
}

bool
dump_takes (const struct dump *d, const struct mlpd_item *item)
{
  static const struct mlpd_visitor visitor
      = { look_at_number, look_at_text, skip_list, skip_open, skip_item, skip_close };
  if (!is_chosen (d, item))
    return false;
  if (!selection_has_names (d->selection) || item->type == MLPD_ITEM_DAMAGE)
    return true;
  /* What has no name is nothing that a filter asks for. */
  struct names n = { .dump = d, .wanted = d->selection->filters == NULL };
  if (item->type == MLPD_ITEM_EVENT)
    mlpd_visit (item->kind, item->payload, item->header->data_version, &visitor, &n);
  return n.wanted && !n.unwanted;
}
