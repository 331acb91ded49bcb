/* findings.h -- findings of a log: sentences at the beginning of its report.
 *
 * A rule is a row of findings.def, and a function that finds its figures in the model that the
 * sections print.  Each figure states where it stands in the JSON report, or is computed from
 * others that do.  Findings are of whole logs: with a selection there are none.
 */
#ifndef PROFLOG_FINDINGS_H
#define PROFLOG_FINDINGS_H

#include "decoder/output/figure.h"
#include "decoder/views/section.h"

/* Findings of a report at most. */
#define FINDINGS_MAX 9

/* Less than one part of this number of a finding's whole is none. */
#define FINDING_SHARE 20

struct finding;

struct finding_rule {
  const char *id;
  /* Does the rule hold?  Then it adds its figures. */
  bool (*check) (const struct report *report, struct finding *finding);
  const char *text, *command; /* findings.def */
};

/* A figure of this name; `path`, a format, is where JSON has it, such as
 * "gc.generations[%u].pauses", in the usual order of rows.  NULL: it is computed from other
 * figures. */
void finding_add (struct finding *finding, const char *name, enum figure_unit unit, uint64_t value,
                  const char *path, ...) G_GNUC_PRINTF (5, 6);
void finding_add_real (struct finding *finding, const char *name, double value, const char *path);

/* A part of a whole, for people in percent; it is computed from other figures. */
void finding_add_share (struct finding *finding, const char *name, uint64_t part, uint64_t of);

/* The same of a text, which is copied. */
void finding_add_text (struct finding *finding, const char *name, const char *text,
                       const char *path);

/* The section: the findings of rules up to one without id. */
void findings_put (const struct report *report, const struct finding_rule *rules);

/* The sentence of the first finding (transfer full), and its id; NULL: there is none.  The report
 * needs the summary and the view. */
char *findings_first (const struct report *report, const struct finding_rule *rules,
                      const char **id);

/* Its tables, for SECTION_TABLES. */
extern const struct table_shape findings_shape;

#endif
