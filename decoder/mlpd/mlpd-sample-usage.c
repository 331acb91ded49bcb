/* mlpd-sample-usage.c -- reads the values of counters that belong to a hit. */
#include "config.h"

#include "decoder/mlpd/mlpd-sample-usage.h"

#include <glib.h>

bool
mlpd_is_sample_usage (uint64_t index)
{
  return index == MLPD_SAMPLE_ELAPSED_INDEX || index == MLPD_SAMPLE_CPU_INDEX
         || index == MLPD_SAMPLE_LINES_INDEX || index == MLPD_LOCK_OWNER_INDEX
         || index == MLPD_LOCK_PLACE_INDEX || index == MLPD_SPAN_TRACE_INDEX
         || (index >= MLPD_SPAN_BEGIN_INDEX && index <= MLPD_SPAN_INDEX)
         || (index >= MLPD_NATIVE_METHOD_INDEX && index <= MLPD_NATIVE_INDEX)
         || (index >= MLPD_CONTENTS_STATE_INDEX && index <= MLPD_CONTENTS_COLLECTIONS_INDEX);
}

bool
mlpd_sample_usage_of (enum mlpd_kind kind, const union mlpd_payload *payload,
                      struct mlpd_sample_usage *usage)
{
  if (kind != MLPD_SAMPLE_COUNTERS)
    return false;
  const struct mlpd_counter_value *values = payload->sample_counters.values.items;
  const size_t n = payload->sample_counters.values.count;
  const bool has_times = n >= 2 && values[0].index == MLPD_SAMPLE_ELAPSED_INDEX
                         && values[1].index == MLPD_SAMPLE_CPU_INDEX;
  const size_t at = has_times ? 2 : 0;
  const bool has_lines = n == at + 1 && values[at].index == MLPD_SAMPLE_LINES_INDEX
                         && values[at].type == MLPD_COUNTER_TYPE_STRING;
  *usage = (struct mlpd_sample_usage){ .elapsed_ns = 0 };
  if (has_times) {
    usage->elapsed_ns = values[0].number;
    usage->cpu_ns = MIN (values[1].number, values[0].number);
  }
  if (has_lines)
    usage->lines = values[at].text;
  return (has_times && n == 2) || has_lines;
}
