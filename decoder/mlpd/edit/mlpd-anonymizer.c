/* mlpd-anonymizer.c -- replaces the texts of headers and events. */
#include "config.h"

#include "decoder/mlpd/edit/hidden.h"
#include "decoder/mlpd/mlpd-losses.h"
#include "decoder/mlpd/edit/mlpd-anonymizer.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/mlpd/mlpd-program-span.h"
#include "decoder/mlpd/mlpd-sample-usage.h"
#include <proflog/module-options.h>
#include <string.h>

void
mlpd_anonymizer_init (struct mlpd_anonymizer *a, const struct secrets *secrets)
{
  *a = (struct mlpd_anonymizer){ .secrets = secrets,
                                 .writer = mlpd_writer_new (),
                                 .texts = g_string_chunk_new (4096) };
  a->counters = g_array_new (FALSE, FALSE, sizeof (struct mlpd_counter));
  a->values = g_array_new (FALSE, FALSE, sizeof (struct mlpd_counter_value));
}

void
mlpd_anonymizer_clear (struct mlpd_anonymizer *a)
{
  mlpd_writer_free (a->writer);
  g_string_chunk_free (a->texts);
  g_array_unref (a->counters);
  g_array_unref (a->values);
}

static struct mlpd_string
store_text (struct mlpd_anonymizer *a, GString *text)
{
  const struct mlpd_string kept
      = { g_string_chunk_insert_len (a->texts, text->str, (gssize) text->len), text->len };
  g_string_free (text, TRUE);
  return kept;
}

/* ---- fields ---- */

static enum secret
secret_of (enum mlpd_unit unit)
{
  return unit == MLPD_UNIT_PUBLIC_TEXT ? NO_SECRET
         : unit == MLPD_UNIT_LABEL     ? SECRET_LABELS
                                       : SECRET_NAMES;
}

static void
append_hidden (const struct mlpd_anonymizer *a, GString *to, enum mlpd_unit unit, unsigned source,
               struct mlpd_string text)
{
  const struct secrets *s = a->secrets;
  switch (unit) {
  case MLPD_UNIT_CLASS_NAME:
    hidden_class (s, to, text.text, text.length);
    break;
  case MLPD_UNIT_METHOD_NAME:
    hidden_method (s, to, text.text, text.length);
    break;
  case MLPD_UNIT_FILE_NAME:
    hidden_file (s, to, text.text, text.length);
    break;
  case MLPD_UNIT_ASSEMBLY_NAME:
    hidden_assembly (s, to, text.text, text.length);
    break;
  case MLPD_UNIT_SYMBOL_NAME:
    hidden_symbol (s, to, text.text, text.length);
    break;
  case MLPD_UNIT_ROOT_NAME:
    hidden_root (s, to, source, text.text, text.length);
    break;
  case MLPD_UNIT_LABEL:
    hidden_label (s, to, text.text, text.length);
    break;
  default:
    secrets_append (s, to, secret_word (SECRET_NAMES), text.text, text.length);
    break;
  }
}

static void
replace_field (struct mlpd_anonymizer *a, enum mlpd_kind kind, const struct mlpd_field *field,
               union mlpd_payload *payload)
{
  const enum secret secret = secret_of (field->unit);
  struct mlpd_string *text = (struct mlpd_string *) (void *) ((char *) payload + field->offset);
  if ((field->wire != MLPD_WIRE_STRZ && field->wire != MLPD_WIRE_HELPER_NAME) || text->text == NULL
      || secret == NO_SECRET || a->secrets->keeps[secret])
    return;
  const unsigned source
      = kind == MLPD_HEAP_ROOT_REGISTER ? (unsigned) payload->heap_root_register.source : 0;
  GString *to = g_string_new (NULL);
  append_hidden (a, to, field->unit, source, *text);
  *text = store_text (a, to);
}

/* ---- counters ---- */

static struct mlpd_string
whole_text (struct mlpd_anonymizer *a, struct mlpd_string text)
{
  GString *to = g_string_new (NULL);
  secrets_append (a->secrets, to, secret_word (SECRET_MESSAGES), text.text, text.length);
  return store_text (a, to);
}

/* The number of the name stays. */
static struct mlpd_string
span_name (struct mlpd_anonymizer *a, struct mlpd_string text)
{
  uint64_t number;
  const char *name = mlpd_program_span_name (text, &number);
  if (name == NULL)
    return whole_text (a, text);
  GString *to = g_string_new (NULL);
  g_string_append_len (to, text.text, name - text.text);
  secrets_append (a->secrets, to, secret_word (SECRET_MESSAGES), name,
                  text.length - (size_t) (name - text.text));
  return store_text (a, to);
}

/* Marks, names of spans and descriptions of classes are counters; of others those of the program
 * have names of their own. */
static struct mlpd_string
counter_name (struct mlpd_anonymizer *a, const struct mlpd_counter *counter)
{
  const size_t mark = strlen (MLPD_MARK);
  if (counter->index == MLPD_LAYOUT_INDEX) {
    GString *fields = g_string_new (NULL);
    hidden_layout (a->secrets, fields, counter->name.text, counter->name.length);
    return store_text (a, fields);
  }
  if (counter->index == MLPD_SPAN_INDEX)
    return span_name (a, counter->name);
  if (!g_str_has_prefix (counter->name.text, MLPD_MARK))
    return counter->section == MLPD_COUNTER_SECTION_USER ? whole_text (a, counter->name)
                                                         : counter->name;
  if (g_str_has_prefix (counter->name.text + mark, PROFLOG_LIMIT_MARK))
    return counter->name; /* our own words */
  GString *to = g_string_new (MLPD_MARK);
  hidden_mark (a->secrets, to, counter->name.text + mark, counter->name.length - mark);
  return store_text (a, to);
}

static void
replace_counters (struct mlpd_anonymizer *a, struct mlpd_counters *counters)
{
  g_array_set_size (a->counters, 0);
  for (size_t i = 0; i < counters->count; i++) {
    struct mlpd_counter counter = counters->items[i];
    if (!a->secrets->keeps[counter.index == MLPD_LAYOUT_INDEX ? SECRET_NAMES : SECRET_MESSAGES])
      counter.name = counter_name (a, &counter);
    if (counter.section_name.text != NULL && !a->secrets->keeps[SECRET_MESSAGES])
      counter.section_name = whole_text (a, counter.section_name);
    g_array_append_val (a->counters, counter);
  }
  counters->items = (const struct mlpd_counter *) (const void *) a->counters->data;
}

static struct mlpd_string
value_text (struct mlpd_anonymizer *a, const struct mlpd_counter_value *value)
{
  /* Texts of the program: those of its counters, and of its strings. */
  if (!mlpd_is_sample_usage (value->index) || value->index == MLPD_CONTENTS_TEXT_INDEX)
    return a->secrets->keeps[SECRET_MESSAGES] ? value->text : whole_text (a, value->text);
  if (a->secrets->keeps[SECRET_NAMES])
    return value->text;
  GString *to = g_string_new (NULL);
  hidden_lines (a->secrets, to, value->text.text, value->text.length);
  return store_text (a, to);
}

static void
replace_values (struct mlpd_anonymizer *a, struct mlpd_counter_values *values)
{
  g_array_set_size (a->values, 0);
  for (size_t i = 0; i < values->count; i++) {
    struct mlpd_counter_value value = values->items[i];
    if (value.text.text != NULL)
      value.text = value_text (a, &value);
    g_array_append_val (a->values, value);
  }
  values->items = (const struct mlpd_counter_value *) (const void *) a->values->data;
}

/* ---- items ---- */

static bool
write_event (struct mlpd_anonymizer *a, const struct mlpd_item *item, GError **error)
{
  union mlpd_payload payload = *item->payload;
  const struct mlpd_description *description = mlpd_describe (item->kind);
  g_string_chunk_clear (a->texts);
  mlpd_event_time (item->kind, item->payload, &a->time);
  for (size_t i = 0; i < description->n_fields; i++)
    replace_field (a, item->kind, &description->fields[i], &payload);
  if (item->kind == MLPD_SAMPLE_COUNTERS_DESC)
    replace_counters (a, &payload.sample_counters_desc.counters);
  else if (item->kind == MLPD_SAMPLE_COUNTERS)
    replace_values (a, &payload.sample_counters.values);
  return mlpd_writer_event (a->writer, item->kind, &payload, error);
}

static bool
write_header (struct mlpd_anonymizer *a, const struct mlpd_file_header *header, GError **error)
{
  struct mlpd_file_header own = *header;
  if (own.arguments.text != NULL && !a->secrets->keeps[SECRET_ARGS]) {
    GString *to = g_string_new (NULL);
    hidden_options (a->secrets, to, own.arguments.text, own.arguments.length);
    own.arguments = store_text (a, to);
  }
  return mlpd_writer_header (a->writer, &own, error);
}

static bool
begin_buffer (struct mlpd_anonymizer *a, const struct mlpd_buffer_header *header, GError **error)
{
  if (mlpd_is_check_mark (header)) /* of bytes that are others now */
    return true;
  a->time = header->time_base;
  if (mlpd_is_end_mark (header))
    return mlpd_writer_end (a->writer, header->time_base, header->thread, error);
  if (mlpd_is_loss_mark (header)) /* its damage follows */
    return true;
  return mlpd_writer_begin_same (a->writer, header, error);
}

bool
mlpd_anonymizer_item (struct mlpd_anonymizer *a, const struct mlpd_item *item, GError **error)
{
  switch (item->type) {
  case MLPD_ITEM_FILE_HEADER:
    return write_header (a, item->header, error);
  case MLPD_ITEM_BUFFER:
    return begin_buffer (a, item->buffer, error);
  case MLPD_ITEM_EVENT:
    return write_event (a, item, error);
  default: /* it was reported; a loss mark stays */
    if (item->damage->reason == MLPD_DAMAGE_LOST)
      mlpd_writer_loss (a->writer, a->time, 0, item->damage->lost, item->damage->error, NULL);
    else if (mlpd_damage_is_left_out (item->damage) && !a->is_damaged)
      a->is_damaged = mlpd_writer_loss (a->writer, a->time, 0, 0, MLPD_LOSS_BY_DAMAGE, NULL);
    return true;
  }
}
