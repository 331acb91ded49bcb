/* log.c -- what a log says about itself. */
#include "decoder/analyses/log.h"
#include "config.h"
#include <elf.h>

void
log_init (struct log *log)
{
  *log = (struct log){ .messages = g_ptr_array_new_with_free_func (g_free) };
}

void
log_clear (struct log *log)
{
  g_ptr_array_free (log->messages, TRUE);
}

void
log_damage (struct log *log, bool truncated, const char *message)
{
  log->damages++;
  log->truncated |= truncated;
  if (log->messages->len < LOG_MESSAGES_MAX)
    g_ptr_array_add (log->messages, g_strdup (message));
}

static void
take_event (struct log *log, const struct mlpd_item *item, uint64_t time)
{
  log->events++;
  log->kind_events[item->kind]++;
  log->kind_bytes[item->kind] += item->size;
  if (time > log->last_time)
    log->last_time = time;
}

void
log_item (struct log *log, const struct mlpd_item *item, uint64_t time)
{
  log->bytes = MAX (log->bytes, item->offset + item->size);
  switch (item->type) {
  case MLPD_ITEM_FILE_HEADER:
    if (!log->has_header)
      log->header = *item->header;
    log->has_header = true;
    break;
  case MLPD_ITEM_BUFFER:
    log->blocks++;
    if (!log->has_time)
      log->first_time = log->last_time = item->buffer->time_base;
    log->has_time = true;
    break;
  case MLPD_ITEM_EVENT:
    take_event (log, item, time);
    break;
  case MLPD_ITEM_DAMAGE:
    log->missing_bytes += item->damage->missing;
    log->skipped_bytes += item->damage->skipped;
    if (item->damage->skipped != 0)
      log->skipped_blocks++;
    log_damage (log, item->damage->reason == MLPD_DAMAGE_TRUNCATED, item->damage->message);
    break;
  }
}

int64_t
log_when (const struct log *log, uint64_t time)
{
  return (int64_t) (time - log->first_time);
}

uint64_t
log_duration (const struct log *log)
{
  return log->last_time - log->first_time;
}

const char *
log_architecture (const struct mlpd_file_header *header)
{
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
  return header->system >> 8 == ELFOSABI_LINUX ? "linux" : "unknown";
}
