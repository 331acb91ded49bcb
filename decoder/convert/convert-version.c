/* convert-version.c -- converts headers, buffers and events of Mono logs. */
#include "config.h"

#include "decoder/convert/convert-version.h"

#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/mlpd/mlpd-losses.h"
#include "decoder/mlpd/mlpd-origin.h"
#include "decoder/mlpd/model/allocations.h"

#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NS_PER_MS 1000000

void
convert_version_init (struct convert_version *c, unsigned to, struct symbols *names)
{
  *c = (struct convert_version){ .writer = mlpd_writer_new (), .to = to, .names = names };
  c->zeros = g_array_new (FALSE, TRUE, sizeof (uint64_t));
  convert_losses_init (&c->losses);
  symbols_init (&c->announced);
}

void
convert_version_clear (struct convert_version *c)
{
  mlpd_writer_free (c->writer);
  g_array_unref (c->zeros);
  convert_losses_clear (&c->losses);
  symbols_clear (&c->announced);
}

/* ---- the header ---- */

static const struct {
  const char *architecture;
  unsigned machine;
} machines[] = {
  { "x86-64", EM_X86_64 },   { "i386", EM_386 },    { "arm", EM_ARM },
  { "aarch64", EM_AARCH64 }, { "riscv", EM_RISCV },
};

/* The system id of a log of our module, by which readers know that it ends with a mark. */
static uint16_t
system_of (const struct mlpd_file_header *header)
{
  for (size_t i = 0; i < G_N_ELEMENTS (machines); i++)
    if (g_strcmp0 (header->architecture.text, machines[i].architecture) == 0)
      return (uint16_t) (ELFOSABI_LINUX << 8 | machines[i].machine);
  return ELFOSABI_LINUX << 8 | EM_NONE;
}

static struct mlpd_string
text (const char *string)
{
  return (struct mlpd_string){ string, strlen (string) };
}

/* The system id as the texts that replaced it. */
static void
put_system (struct mlpd_file_header *header, bool is_ours)
{
  header->architecture = header->operating_system = text ("");
  for (size_t i = 0; is_ours && i < G_N_ELEMENTS (machines); i++)
    if ((header->system & 0xff) == machines[i].machine)
      header->architecture = text (machines[i].architecture);
  if (is_ours && header->system >> 8 == ELFOSABI_LINUX)
    header->operating_system = text ("linux");
}

/* Of version 0 the start is that of the earliest buffer. */
static void
convert_to_old_header (struct convert_version *c, struct mlpd_file_header *header)
{
  const bool is_ours = mlpd_header_is_ours (header);
  if (header->major >= 3 && header->start_ns != 0 && c->earliest > header->start_ns)
    header->start_ms += (c->earliest - header->start_ns) / NS_PER_MS;
  if (header->major != 0)
    header->system = is_ours ? system_of (header) : 0;
  header->major = 0;
  header->minor = 4;
}

static void
convert_to_new_header (struct convert_version *c, struct mlpd_file_header *header)
{
  const bool is_ours = mlpd_header_is_ours (header);
  if (header->major < 3)
    header->start_ns = c->earliest;
  if (header->major == 0) {
    header->arguments = text (is_ours ? "proflog" : "");
    put_system (header, is_ours);
    header->port = 0; /* it was a part of the system id */
  }
  header->major = 3;
  header->minor = 0;
}

static bool
convert_header (struct convert_version *c, const struct mlpd_file_header *from, GError **error)
{
  struct mlpd_file_header header = *from;
  c->from = MIN (from->data_version, MLPD_VERSION_LAST);
  if (c->to < MLPD_VERSION_NO_FLAGS)
    convert_to_old_header (c, &header);
  else
    convert_to_new_header (c, &header);
  if (header.major == 0)
    c->sampling = mlpd_header_alloc_sampling (from);
  header.data_version = (uint8_t) c->to;
  return mlpd_writer_header (c->writer, &header, error);
}

/* ---- buffers ---- */

static bool
begin_buffer (struct convert_version *c, const struct mlpd_buffer_header *buffer, GError **error)
{
  if (mlpd_is_check_mark (buffer)) /* of bytes that are others now */
    return true;
  c->time = buffer->time_base;
  if (mlpd_is_loss_mark (buffer))
    return mlpd_writer_loss (c->writer, buffer->time_base, buffer->thread, buffer->ptr_base,
                             (int) MIN (buffer->method_base, INT32_MAX), error);
  if (mlpd_is_end_mark (buffer))
    return mlpd_writer_end (c->writer, buffer->time_base, buffer->thread, error);
  return mlpd_writer_begin_same (c->writer, buffer, error);
}

/* ---- events ---- */

static uint64_t
class_of_vtable (const struct convert_version *c, uint64_t vtable)
{
  const guint place = symbols_use (c->names, SYMBOL_VTABLE, vtable);
  const guint klass = symbols_class_of_vtable (c->names, place);
  return g_array_index (c->names->all[SYMBOL_CLASS], struct symbol, klass).address;
}

static void
convert_type (const struct convert_version *c, uint64_t *klass, uint64_t *vtable)
{
  const bool had = c->from >= MLPD_VERSION_VTABLES, has = c->to >= MLPD_VERSION_VTABLES;
  if (had && !has)
    *klass = class_of_vtable (c, *vtable);
  else if (!had && has)
    *vtable = *klass;
}

static void
add_offsets (struct convert_version *c, struct mlpd_references *references)
{
  if (references->offsets != NULL)
    return;
  if (c->zeros->len < references->count)
    g_array_set_size (c->zeros, (guint) references->count);
  references->offsets = (const uint64_t *) (const void *) c->zeros->data;
}

/* Before data version 13, some events have no time, or another one. */
static void
convert_time (struct convert_version *c, enum mlpd_kind kind, union mlpd_payload *p)
{
  const struct mlpd_field *field = mlpd_describe (kind)->time;
  uint64_t *time = (uint64_t *) (void *) ((char *) p + field->offset);
  if (c->from >= field->when.since) {
    c->time = *time;
    return;
  }
  *time = c->time;
  if (kind == MLPD_SAMPLE_HIT)
    *time = p->sample_hit.sampled_at;
  else if (kind == MLPD_SAMPLE_COUNTERS)
    *time = c->first_time + p->sample_counters.timestamp_ms * NS_PER_MS;
}

/* The values of the older writer. */
static void
convert_old_time (const struct convert_version *c, enum mlpd_kind kind, union mlpd_payload *p)
{
  if (c->from < MLPD_VERSION_NO_FLAGS || c->to >= MLPD_VERSION_NO_FLAGS)
    return;
  if (kind == MLPD_SAMPLE_HIT)
    p->sample_hit.sampled_at = p->sample_hit.time;
  else if (kind == MLPD_SAMPLE_COUNTERS)
    p->sample_counters.timestamp_ms = (p->sample_counters.time - c->first_time) / NS_PER_MS;
}

static bool
is_load_or_unload (uint64_t action)
{
  return action == MLPD_LOAD_END_LOAD || action == MLPD_LOAD_END_UNLOAD;
}

/* From data version 13 on, Mono.Profiler.Log refuses logs with other actions. */
static bool
has_action (unsigned version, enum mlpd_kind kind, const union mlpd_payload *p)
{
  if (version < MLPD_VERSION_NO_FLAGS)
    return true;
  switch (kind) {
  case MLPD_METADATA_CLASS:
    return p->metadata_class.action == MLPD_LOAD_END_LOAD;
  case MLPD_METADATA_IMAGE:
    return is_load_or_unload (p->metadata_image.action);
  case MLPD_METADATA_ASSEMBLY:
    return is_load_or_unload (p->metadata_assembly.action);
  case MLPD_METADATA_CONTEXT:
    return is_load_or_unload (p->metadata_context.action);
  case MLPD_METADATA_DOMAIN:
    return is_load_or_unload (p->metadata_domain.action)
           || p->metadata_domain.action == MLPD_LOAD_NAME;
  case MLPD_METADATA_THREAD:
    return is_load_or_unload (p->metadata_thread.action)
           || p->metadata_thread.action == MLPD_LOAD_NAME;
  default:
    return true;
  }
}

static bool
write_event (struct convert_version *c, enum mlpd_kind kind, const union mlpd_payload *p,
             GError **error)
{
  if (mlpd_writer_has_event (c->to, kind) && has_action (c->to, kind, p)) {
    GError *own = NULL;
    if (mlpd_writer_event (c->writer, kind, p, &own))
      return true;
    if (!g_error_matches (own, MLPD_WRITER_ERROR, MLPD_WRITER_ERROR_VALUE)) {
      g_propagate_error (error, own);
      return false;
    }
    g_error_free (own); /* the version has no room for a value of it */
  } else if (kind == MLPD_METADATA_VTABLE) {
    return true; /* of it a class was made */
  }
  convert_losses_add (&c->losses, mlpd_describe (kind)->name);
  return true;
}

/* Is the class announced for the first time by this name?  In data version 1, one that is announced
 * again states the type of the next event's object: docs/mlpd-format.md, type marks. */
static bool
is_new_class (struct convert_version *c, const struct mlpd_metadata_class *e)
{
  const char *name = symbols_current_name (&c->announced, SYMBOL_CLASS, e->klass);
  if (name != NULL && strcmp (name, e->name.text) == 0)
    return false;
  symbols_announce (&c->announced, SYMBOL_CLASS, e->klass, e->name);
  return true;
}

/* Each class that was loaded has a vtable, at its address. */
static void
hold_vtable (struct convert_version *c, const struct mlpd_metadata_class *e)
{
  if (c->from >= MLPD_VERSION_VTABLES || c->to < MLPD_VERSION_VTABLES
      || e->action != MLPD_LOAD_END_LOAD || !is_new_class (c, e))
    return;
  c->has_vtable = true;
  c->vtable = (struct mlpd_metadata_vtable){ .action = e->action,
                                             .time = e->time,
                                             .mtype = MLPD_MTYPE_VTABLE,
                                             .vtable = e->klass,
                                             .klass = e->klass };
}

/* Its data were in the event of the class, which was written. */
static void
put_vtable (struct convert_version *c)
{
  const union mlpd_payload p = { .metadata_vtable = c->vtable };
  if (c->has_vtable)
    mlpd_writer_event (c->writer, MLPD_METADATA_VTABLE, &p, NULL);
  c->has_vtable = false;
}

/* The event that a class right before it may be the type mark of. */
static bool
has_mark (enum mlpd_kind kind)
{
  return kind == MLPD_EXCEPTION_THROW || kind == MLPD_MONITOR;
}

/* Before data version 15 the log has a mark in place of the counter of lost events.  The buffer of
 * counters ends there. */
static void
convert_loss (struct convert_version *c, const struct mlpd_item *item, uint64_t lost)
{
  const uint64_t thread = item->buffer->thread;
  mlpd_writer_loss (c->writer, c->time, thread, lost, 0, NULL);
  mlpd_writer_begin_buffer (c->writer, thread, c->time, NULL);
}

static void
note_sample (struct convert_version *c, uint64_t size)
{
  if (c->sampling == 0)
    return;
  c->sampled += size;
  c->estimate += allocation_estimate (size, c->sampling).bytes;
}

static bool
convert_event (struct convert_version *c, const struct mlpd_item *item, GError **error)
{
  union mlpd_payload p = *item->payload;
  convert_time (c, item->kind, &p);
  convert_old_time (c, item->kind, &p);
  const uint64_t lost = mlpd_losses_of (item->kind, &p);
  if (lost != 0 && c->to < MLPD_VERSION_VTABLES && !mlpd_is_context (item->buffer)) {
    convert_loss (c, item, lost);
    return true;
  }
  switch (item->kind) {
  case MLPD_ALLOC:
    note_sample (c, p.alloc.size);
    convert_type (c, &p.alloc.klass, &p.alloc.vtable);
    break;
  case MLPD_HEAP_OBJECT:
    convert_type (c, &p.heap_object.klass, &p.heap_object.vtable);
    add_offsets (c, &p.heap_object.references);
    break;
  case MLPD_METADATA_IMAGE:
    if (p.metadata_image.mvid.text == NULL)
      p.metadata_image.mvid = (struct mlpd_string){ "", 0 };
    break;
  case MLPD_SAMPLE_HIT:
    if (c->from < MLPD_VERSION_SAMPLED_THREADS)
      p.sample_hit.thread = item->buffer->thread;
    break;
  default:
    break;
  }
  if (!write_event (c, item->kind, &p, error))
    return false;
  if (item->kind == MLPD_METADATA_CLASS)
    hold_vtable (c, &p.metadata_class);
  return true;
}

/* A class comes before its vtable, and right before the event that it is the type mark of. */
static bool
convert_in_order (struct convert_version *c, const struct mlpd_item *item, GError **error)
{
  const bool is_first = has_mark (item->kind);
  if (!is_first)
    put_vtable (c);
  const bool good = convert_event (c, item, error);
  if (is_first)
    put_vtable (c);
  return good;
}

bool
convert_version_item (struct convert_version *c, const struct mlpd_item *item, GError **error)
{
  switch (item->type) {
  case MLPD_ITEM_FILE_HEADER:
    return convert_header (c, item->header, error);
  case MLPD_ITEM_BUFFER:
    put_vtable (c);
    return begin_buffer (c, item->buffer, error);
  case MLPD_ITEM_EVENT:
    return convert_in_order (c, item, error);
  case MLPD_ITEM_DAMAGE:
    put_vtable (c);
    if (mlpd_damage_is_left_out (item->damage) && !c->is_damaged)
      c->is_damaged = mlpd_writer_loss (c->writer, c->time, 0, 0, MLPD_LOSS_BY_DAMAGE, NULL);
    break;
  }
  return true;
}

static void
list_samples (struct convert_version *c)
{
  char text[128];
  if (c->sampling == 0)
    return;
  snprintf (text, sizeof text,
            "statement that allocations are sampled: their %" PRIu64
            " bytes stand for about %" PRIu64,
            c->sampled, c->estimate);
  convert_losses_add (&c->losses, g_intern_string (text));
}

void
convert_version_end (struct convert_version *c)
{
  put_vtable (c);
  mlpd_writer_end_buffer (c->writer);
  list_samples (c);
}
