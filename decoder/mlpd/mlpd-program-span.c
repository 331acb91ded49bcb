/* mlpd-program-span.c -- reads edges of spans from values of counters. */
#include "config.h"

#include "decoder/mlpd/mlpd-program-span.h"

#include <glib.h>
#include <string.h>

bool
mlpd_program_span_of (enum mlpd_kind kind, const union mlpd_payload *payload,
                      struct mlpd_program_span *span)
{
  if (kind != MLPD_SAMPLE_COUNTERS)
    return false;
  const struct mlpd_counter_value *values = payload->sample_counters.values.items;
  const size_t n = payload->sample_counters.values.count;
  if (n == 0 || values[0].index < MLPD_SPAN_BEGIN_INDEX || values[0].index > MLPD_SPAN_ENTER_INDEX)
    return false;
  *span = (struct mlpd_program_span){
    .edge = (enum mlpd_span_edge) (values[0].index - MLPD_SPAN_BEGIN_INDEX),
    .id = values[0].number,
  };
  if (span->edge != MLPD_SPAN_BEGIN)
    return true;
  if (n < 2 || values[1].index != MLPD_SPAN_NAME_INDEX)
    return false;
  span->name = values[1].number;
  if (n != 4)
    return n == 2;
  span->trace_high = values[2].number;
  span->trace_low = values[3].number;
  return values[2].index == MLPD_SPAN_TRACE_INDEX && values[3].index == MLPD_SPAN_TRACE_INDEX;
}

const char *
mlpd_program_span_announced (enum mlpd_kind kind, const union mlpd_payload *payload,
                             uint64_t *number)
{
  if (kind != MLPD_SAMPLE_COUNTERS_DESC)
    return NULL;
  const struct mlpd_counters *counters = &payload->sample_counters_desc.counters;
  return counters->count != 0 && counters->items[0].index == MLPD_SPAN_INDEX
             ? mlpd_program_span_name (counters->items[0].name, number)
             : NULL;
}

const char *
mlpd_program_span_name (struct mlpd_string text, uint64_t *number)
{
  if (text.text == NULL || !g_str_has_prefix (text.text, MLPD_SPAN))
    return NULL;
  const char *digits = text.text + strlen (MLPD_SPAN);
  char *end;
  *number = g_ascii_strtoull (digits, &end, 10);
  return g_ascii_isdigit (*digits) && *end == ' ' && end[1] != 0 ? end + 1 : NULL;
}
