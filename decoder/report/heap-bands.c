/* heap-bands.c -- runs the queries of proflog heap about an eventlog. */
#include "config.h"

#include "decoder/command/cli.h"
#include "decoder/log/log-kind.h"
#include "decoder/log/log-open.h"
#include "decoder/command/message.h"
#include "decoder/log/log-summary.h"
#include "decoder/report/report-commands.h"
#include "decoder/views/ghc/ghc-bands.h"
#include "decoder/views/ghc/ghc-report.h"
#include <string.h>

/* Has each profile the samples that are requested?  Warns where the bytes of bands are those of an
 * earlier sample. */
static bool
check_samples (struct log_command *c, const struct heap_request *r,
               const struct ghc_heap_profiles *p, const struct ghc_sample_query *query)
{
  const bool is_diff = r->subcommand->section == &heap_section_diff;
  const guint wanted
      = is_diff ? 2 : query->is_set || r->subcommand->section == &heap_section_histogram;
  for (guint i = 0; i < p->all->len; i++) {
    const struct ghc_heap_profile *profile = p->all->pdata[i];
    for (guint k = 0; k < wanted && (query->is_set || profile->samples->len != 0); k++) {
      const uint32_t number = query->is_set ? query->numbers[k]
                              : !is_diff    ? profile->largest
                              : k == 0      ? profile->first
                                            : profile->end;
      if (number >= profile->samples->len) {
        cli_message ("proflog heap: %s: there is no sample %u: the heap profile has %u, from 0",
                     r->log, number, profile->samples->len);
        return false;
      }
      const uint32_t retained = ghc_heap_profile_retained (profile, number);
      if (retained != number) {
        g_autofree char *message = g_strdup_printf (
            "bands of sample %u are not retained: those of sample %u stand for them", number,
            retained);
        log_command_warn (c, r->log, message);
      }
    }
  }
  return true;
}

/* Leaks and growth need some samples; else the condition counts as met, with a message. */
static bool
cannot_check (const struct heap_request *r, const struct ghc_heap_profile *profile)
{
  const bool is_leaks = r->subcommand->section == &heap_section_leaks;
  if (!r->threshold.is_set || (!is_leaks && r->subcommand->section != &heap_section_growth))
    return false;
  g_autofree char *unjudged = ghc_bands_unjudged (profile);
  if (unjudged != NULL)
    cli_message ("proflog heap: %s: %s cannot be judged: %s", r->log, is_leaks ? "leaks" : "growth",
                 unjudged);
  return unjudged != NULL;
}

/* Is the condition of --exit-code or --fail-above true of a profile? */
static bool
is_true_of (const struct heap_request *r, const struct ghc_sample_query *query,
            const struct ghc_heap_profile *profile)
{
  if (!r->threshold.is_set || profile->samples->len == 0)
    return false;
  if (r->subcommand->section == &heap_section_leaks) {
    for (guint i = 0; i < profile->bands->len; i++)
      if (((const struct ghc_band *) profile->bands->pdata[i])->grows)
        return true;
    return false;
  }
  const uint32_t before = query->is_set ? query->numbers[0] : profile->first,
                 now = query->is_set ? query->numbers[1] : profile->end;
  return heap_is_above (&r->threshold, ghc_heap_profile_sample (profile, before)->bytes,
                        ghc_heap_profile_sample (profile, now)->bytes);
}

struct bands_answer {
  const struct heap_request *request;
  const struct ghc_summary *summary;
  const struct ghc_sample_query *samples;
};

static void
put_answer (const void *data, struct emitter *e, const struct view *view)
{
  const struct bands_answer *a = data;
  const struct heap_request *r = a->request;
  const struct section *const all[] = { r->subcommand->bands, &ghc_section_damage, NULL };
  sections_write_bands (e, r->subcommand->schema, r->log, a->summary, a->samples, view, all);
}

static int
answer (struct log_command *c, const struct heap_request *r, const struct view *view,
        const struct ghc_summary *s)
{
  const bool is_pair = heap_request_has_pair (r);
  const struct ghc_sample_query query
      = { .is_set = r->has_number, .numbers = { is_pair ? r->pair[0] : r->shot, r->pair[1] } };
  const struct ghc_heap_profiles *p = &s->heap_profiles;
  if (p->all->len == 0) {
    cli_message (
        "proflog heap: %s: the log has no heap profile; 'proflog run --heap PROGRAM', or the "
        "program's +RTS -l -hT, records one",
        r->log);
    return CLI_INPUT;
  }
  if (!check_samples (c, r, p, &query))
    return CLI_INPUT;
  bool is_true = false;
  for (guint i = 0; i < p->all->len; i++)
    is_true |= is_true_of (r, &query, p->all->pdata[i]) | cannot_check (r, p->all->pdata[i]);
  const struct bands_answer data = { r, s, &query };
  const int status = heap_write_answer (c, r, view, put_answer, &data);
  return status == CLI_OK && is_true ? CLI_TRUE : status;
}

int
heap_bands_run (struct log_command *c, const struct heap_request *r, const struct view *view)
{
  if (r->subcommand->bands == NULL) {
    g_autofree char *message = g_strdup_printf ("it has no objects for '%s': list, histogram, "
                                                "diff, growth and leaks query its heap profiles",
                                                r->subcommand->name);
    return log_kind_ghc.refuse (c, r->log, message);
  }
  if (r->by != HEAP_BY_CLASS)
    return log_kind_ghc.refuse (c, r->log, "its bands are of one kind: --by is for logs of Mono");
  struct ghc_summary summary;
  const int status
      = log_command_summarize_eventlog (c, r->log, &summary, r->subcommand->bands->features);
  const int answer_status = summary.log.headers != 0 ? answer (c, r, view, &summary) : CLI_OK;
  ghc_summary_clear (&summary);
  return MAX (status, answer_status);
}
