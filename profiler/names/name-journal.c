/* name-journal.c -- a slot of the spool after the other is filled. */
#include "config.h"

#include "profiler/names/name-journal.h"
#include "profiler/record/buffer-queue.h"
#include "profiler/record/recorder.h"
#include <string.h>

static struct buffer *journal; /* NULL: the first name will take one */
static size_t used;            /* bytes of its data */

/* The counter to which the event of a layout or a span points: until the thread's next one. */
static _Thread_local struct mlpd_counter described __attribute__ ((tls_model ("initial-exec")));

enum mlpd_kind
name_event (const struct name_work *w, union mlpd_payload *event)
{
  const struct name *name = w->name;
  const struct mlpd_string text = { name->text, name->length };
  switch (w->type) {
  case NAME_IMAGE:
    event->metadata_image = (struct mlpd_metadata_image){
      .action = w->action, .time = w->time, .image = name->address, .name = text
    };
    return MLPD_METADATA_IMAGE;
  case NAME_CLASS:
    event->metadata_class = (struct mlpd_metadata_class){ .action = w->action,
                                                          .time = w->time,
                                                          .klass = name->address,
                                                          .image = name->image,
                                                          .name = text };
    return MLPD_METADATA_CLASS;
  case NAME_ASSEMBLY:
    event->metadata_assembly = (struct mlpd_metadata_assembly){ .action = w->action,
                                                                .time = w->time,
                                                                .assembly = name->address,
                                                                .image = name->image,
                                                                .name = text };
    return MLPD_METADATA_ASSEMBLY;
  case NAME_VTABLE:
    event->metadata_vtable = (struct mlpd_metadata_vtable){ .action = w->action,
                                                            .time = w->time,
                                                            .vtable = name->address,
                                                            .domain = w->size,
                                                            .klass = w->code };
    return MLPD_METADATA_VTABLE;
  case NAME_THREAD:
    event->metadata_thread = (struct mlpd_metadata_thread){
      .action = w->action, .time = w->time, .thread = name->address, .name = text
    };
    return MLPD_METADATA_THREAD;
  case NAME_DOMAIN:
    event->metadata_domain = (struct mlpd_metadata_domain){
      .action = w->action, .time = w->time, .domain = name->address - names_key (0), .name = text
    };
    return MLPD_METADATA_DOMAIN;
  case NAME_CONTEXT:
    event->metadata_context
        = (struct mlpd_metadata_context){ .action = w->action,
                                          .time = w->time,
                                          .context = (uint32_t) (name->address - names_key (0)),
                                          .domain = w->code };
    return MLPD_METADATA_CONTEXT;
  case NAME_ROOT:
    event->heap_root_register = (struct mlpd_heap_root_register){ .time = w->time,
                                                                  .start = name->address,
                                                                  .size = w->size,
                                                                  .source = name->image,
                                                                  .key = w->code,
                                                                  .name = text };
    return MLPD_HEAP_ROOT_REGISTER;
  case NAME_LAYOUT:
  case NAME_SPAN:
    described = (struct mlpd_counter){ .section = MLPD_COUNTER_SECTION_PROFILER,
                                       .name = text,
                                       .type = MLPD_COUNTER_TYPE_ULONG,
                                       .index = w->type == NAME_SPAN ? MLPD_SPAN_INDEX
                                                                     : MLPD_LAYOUT_INDEX };
    event->sample_counters_desc
        = (struct mlpd_sample_counters_desc){ .time = w->time, .counters = { &described, 1 } };
    return MLPD_SAMPLE_COUNTERS_DESC;
  case NAME_SYMBOL:
    event->sample_symbol = (struct mlpd_sample_symbol){
      .time = w->time, .address = name->address, .size = w->size, .name = text
    };
    return MLPD_SAMPLE_SYMBOL;
  default:
    event->method_jit = (struct mlpd_method_jit){
      .time = w->time, .method = name->address, .code = w->code, .size = w->size, .name = text
    };
    return MLPD_METHOD_JIT;
  }
}

/* Room for this number of bytes after the present names.  The writer gives a full slot back when it
 * has come to this place in the queue, and so has written all names in it. */
static bool
make_room (size_t bytes)
{
  if (journal != NULL && journal->mapped - sizeof *journal - used >= bytes)
    return true;
  if (journal != NULL)
    buffer_queue_push_name (&journal->work);
  size_t mapped;
  journal = (struct buffer *) spool_allocate (sizeof *journal + bytes, &mapped);
  used = 0;
  if (journal == NULL)
    return false;
  journal->work.kind = WORK_NAMES;
  journal->mapped = mapped;
  spool_publish (&journal->slot, 0);
  spool_use (&journal->slot, PROFLOG_SPOOL_NAMES);
  return true;
}

void
name_journal_add (struct name_work *w)
{
  w->sequence = spool_sequence ();
  if (spool_path () == NULL)
    return;
  union mlpd_payload event;
  memset (&event, 0, sizeof event); /* compilers do not see which kinds there are */
  const enum mlpd_kind kind = name_event (w, &event);
  struct proflog_spool_name record = { .sequence = w->sequence, .time = w->time };
  if (!make_room (sizeof record + MLPD_BUFFER_HEADER_SIZE + mlpd_bound_event (kind, &event) + 7))
    return;
  struct mlpd_encoder encoder;
  mlpd_encoder_start (&encoder, recorder_version, w->time);
  uint8_t *const at = journal->data + used;
  uint8_t *const events = at + sizeof record + MLPD_BUFFER_HEADER_SIZE;
  const uint8_t *const end = mlpd_put_event (&encoder, events, kind, &event);
  const struct mlpd_buffer_header header
      = mlpd_encoder_header (&encoder, buffer_queue_consumer (), (uint32_t) (end - events));
  mlpd_put_buffer_header (at + sizeof record, &header);
  record.length = (uint64_t) (end - at) - sizeof record;
  memcpy (at, &record, sizeof record);
  used += sizeof record + PROFLOG_SPOOL_PADDED (record.length);
  spool_publish (&journal->slot, used);
  w->is_in_spool = journal->slot.number != 0;
}

void
name_journal_start_over (void)
{
  journal = NULL;
  used = 0;
}
