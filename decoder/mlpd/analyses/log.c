/* log.c -- the facts that a log states about itself. */
#include "config.h"

#include "decoder/mlpd/analyses/log.h"
#include "decoder/mlpd/mlpd-losses.h"
#include "decoder/mlpd/mlpd-origin.h"
#include <elf.h>

#define MAIN_THREAD "Main"

void
log_init (struct log *log)
{
  *log = (struct log){ .messages = g_ptr_array_new_with_free_func (g_free) };
}

void
log_clear (struct log *log)
{
  g_ptr_array_free (log->messages, TRUE);
  g_free (log->arguments);
  g_free (log->architecture);
  g_free (log->system);
}

/* The header's texts outlive the reader here. */
static void
store_header (struct log *log, const struct mlpd_file_header *header)
{
  log->header = *header;
  log->header.arguments.text = log->arguments = g_strdup (header->arguments.text);
  log->header.architecture.text = log->architecture = g_strdup (header->architecture.text);
  log->header.operating_system.text = log->system = g_strdup (header->operating_system.text);
  log->has_header = true;
}

void
log_damage (struct log *log, bool truncated, const char *message)
{
  log->damages++;
  log->truncated |= truncated;
  if (log->messages->len < LOG_MESSAGES_MAX)
    g_ptr_array_add (log->messages, g_strdup (message));
}

/* The time that was noted last is the end. */
void
log_set_writer (struct log *log, long pid)
{
  log->writer = pid;
  if (!log->truncated)
    return;
  if (log->damages == log->messages->len)
    g_ptr_array_set_size (log->messages, (gint) log->messages->len - 1);
  log->damages--;
  log->truncated = false;
  log->missing_bytes = 0;
}

char *
log_damage_by_losses (struct log *log, uint64_t lost)
{
  char *message = lost != 0 ? mlpd_loss_message (lost, 0) : NULL;
  log->lost_events += lost;
  if (message != NULL)
    log_damage (log, false, message);
  return message;
}

/* This many events of a kind, of these sizes. */
static void
handle_kind (struct log *log, unsigned kind, uint64_t events, uint64_t bytes, uint64_t min,
             uint64_t max)
{
  if (events == 0)
    return;
  log->kind_min[kind] = log->kind_events[kind] == 0 ? min : MIN (log->kind_min[kind], min);
  log->kind_max[kind] = MAX (log->kind_max[kind], max);
  log->kind_events[kind] += events;
  log->kind_bytes[kind] += bytes;
}

void
log_begin (struct log *log, uint64_t first_time)
{
  if (!log->has_time)
    log->first_time = log->last_time = log->latest = first_time;
  log->has_time = true;
}

void
log_merge (struct log *log, const struct scan *scan, uint64_t end)
{
  log->bytes = MAX (log->bytes, end);
  log->blocks += scan->blocks;
  log->events += scan->n_events;
  if (scan->has_time)
    log_begin (log, scan->first_base);
  log->latest = MAX (log->latest, scan->latest);
  if (mlpd_header_is_ours (&log->header))
    log->threads_ns = MAX (log->threads_ns, scan->threads_ns); /* of files in turn it grows */
  for (unsigned kind = 0; kind < MLPD_KINDS && scan->n_events != 0; kind++) {
    const struct scan_kind *k = &scan->kinds[kind];
    for (unsigned size = 0; size < SCAN_SIZES; size++)
      handle_kind (log, kind, k->of_size[size], k->of_size[size] * size, size, size);
    handle_kind (log, kind, k->larger, k->larger_bytes, k->larger_min, k->larger_max);
  }
}

void
log_item (struct log *log, const struct mlpd_item *item)
{
  log->bytes = MAX (log->bytes, item->offset + item->size);
  if (item->type == MLPD_ITEM_FILE_HEADER) {
    store_header (log, item->header);
  } else if (item->type == MLPD_ITEM_DAMAGE) {
    log->missing_bytes += item->damage->missing;
    log->skipped_bytes += item->damage->skipped;
    log->lost_events += item->damage->lost;
    if (item->damage->skipped != 0)
      log->skipped_blocks++;
    log_damage (log, item->damage->reason == MLPD_DAMAGE_TRUNCATED, item->damage->message);
  }
}

void
log_thread (struct log *log, const struct mlpd_metadata_thread *event)
{
  struct log_main *m = &log->main;
  if (event->action == MLPD_LOAD_NAME && g_strcmp0 (event->name.text, MAIN_THREAD) == 0
      && (!m->named || event->time < m->named_at))
    *m = (struct log_main){ .named = true, .id = event->thread, .named_at = event->time };
  else if (event->action == MLPD_LOAD_END_UNLOAD && m->named && event->thread == m->id)
    m->ended = true;
}

enum log_completeness
log_completeness (const struct log *log)
{
  if (log->damages != 0 || log->writer != 0)
    return LOG_INCOMPLETE;
  if (mlpd_header_is_ours (&log->header)) /* else there were damage */
    return LOG_COMPLETE;
  return log->main.ended && !log->is_part ? LOG_COMPLETE : LOG_UNKNOWN;
}

int64_t
log_when (const struct log *log, uint64_t time)
{
  return (int64_t) (time - log->first_time);
}

bool
log_clock (const struct log *log, uint64_t *ns)
{
  const struct mlpd_file_header *header = &log->header;
  const uint64_t zero
      = header->major >= LOG_MAJOR_WITH_START_NS ? header->start_ns : log->first_time;
  *ns = header->start_ms * UINT64_C (1000000) + (log->first_time - zero);
  return header->start_ms != 0;
}

uint64_t
log_duration (const struct log *log)
{
  return log->last_time - log->first_time;
}

uint64_t
log_selected_ns (const struct log *log)
{
  return log->is_part ? log->selected_ns : log_duration (log);
}

const char *
log_architecture (const struct mlpd_file_header *header)
{
  if (header->major != 0)
    return header->architecture.text;
  switch (header->system & 0xff) {
  case EM_X86_64:
    return "x86-64";
  case EM_AARCH64:
    return "aarch64";
  case EM_386:
    return "i386";
  case EM_ARM:
    return "arm";
  case EM_RISCV:
    return "riscv";
  default:
    return "unknown";
  }
}

const char *
log_operating_system (const struct mlpd_file_header *header)
{
  if (header->major != 0)
    return header->operating_system.text;
  return header->system >> 8 == ELFOSABI_LINUX ? "linux" : "unknown";
}
