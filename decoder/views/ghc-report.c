/* ghc-report.c -- which sections the reports of eventlogs have. */
#include "decoder/views/ghc-report.h"

const struct section *const ghc_report_sections[] = {
  &ghc_section_log,
  &ghc_section_damage,
  &ghc_section_time,
  &ghc_section_heap,
  &ghc_section_gc,
  &ghc_section_sparks,
  &ghc_section_tasks,
  &ghc_section_caps,
  &ghc_section_writing,
  &ghc_section_processes,
  &ghc_section_thread_times,
  &ghc_section_scheduling,
  &ghc_section_heap_profiles,
  &ghc_section_time_profile,
  &ghc_section_stats,
  NULL,
};

const struct section *const ghc_info_sections[] = {
  &ghc_section_log,   &ghc_section_damage,  &ghc_section_content,
  &ghc_section_kinds, &ghc_section_threads, NULL,
};

const struct section *const ghc_stats_sections[] = {
  &ghc_section_layout,
  &ghc_section_damage,
  &ghc_section_quiet_heap,
  &ghc_section_gc,
  &ghc_section_sparks,
  &ghc_section_quiet_tasks,
  &ghc_section_quiet_time,
  &ghc_section_caps,
  &ghc_section_writing,
  &ghc_section_processes,
  NULL,
};

void
ghc_put_maybe (struct emitter *e, const char *key, const char *label, enum emitter_type type,
               bool is_told, union emitter_value value)
{
  if (is_told)
    emitter_value (e, key, label, type, value);
  else
    emitter_value (e, key, label, EMIT_ANY, (union emitter_value){ .any = NULL });
}

char *
ghc_process_name (const struct ghc_capset *process)
{
  if (process->arguments != NULL && process->has_pid)
    return g_strdup_printf ("%s (process %u)", process->arguments, process->pid);
  if (process->arguments != NULL)
    return g_strdup (process->arguments);
  return process->has_pid ? g_strdup_printf ("process %u", process->pid)
                          : g_strdup_printf ("capability set %u", process->id);
}
