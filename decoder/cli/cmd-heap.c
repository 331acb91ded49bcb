/* cmd-heap.c -- proflog heap: questions about heap shots. */
#include "config.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/log-command.h"
#include "decoder/cli/tell.h"
#include "decoder/cli/view-options.h"
#include "decoder/views/heap-view.h"
#include "decoder/views/report-log.h"
#include <string.h>

#define ROWS 30

/* What may be asked. */
static const struct question {
  const char *name;
  const char *schema;
  const struct section *section;
  bool of_shot; /* it is about one shot */
  bool needs_dominators;
  bool of_two;     /* ... or about two */
  bool of_all;     /* it needs the series of all shots */
  bool has_object; /* it is about an object ... */
  bool has_class;  /* ... or a class */
} questions[] = {
  { .name = "list", .schema = "proflog.heap-list/1", .section = &heap_section_list },
  { .name = "histogram",
    .schema = "proflog.heap-histogram/1",
    .section = &heap_section_histogram,
    .of_shot = true,
    .needs_dominators = true },
  { .name = "dominators",
    .schema = "proflog.heap-dominators/1",
    .section = &heap_section_dominators,
    .of_shot = true,
    .needs_dominators = true },
  { .name = "paths",
    .schema = "proflog.heap-paths/1",
    .section = &heap_section_paths,
    .of_shot = true,
    .has_object = true,
    .has_class = true },
  { .name = "refs",
    .schema = "proflog.heap-refs/1",
    .section = &heap_section_refs,
    .of_shot = true,
    .needs_dominators = true,
    .has_object = true },
  { .name = "object",
    .schema = "proflog.heap-object/1",
    .section = &heap_section_object,
    .of_shot = true,
    .needs_dominators = true,
    .has_object = true },
  { .name = "unreachable",
    .schema = "proflog.heap-unreachable/1",
    .section = &heap_section_unreachable,
    .of_shot = true,
    .needs_dominators = true },
  { .name = "diff",
    .schema = "proflog.heap-diff/1",
    .section = &heap_section_diff,
    .of_two = true },
  { .name = "growth",
    .schema = "proflog.heap-growth/1",
    .section = &heap_section_growth,
    .of_all = true },
  { .name = "leaks",
    .schema = "proflog.heap-leaks/1",
    .section = &heap_section_leaks,
    .of_shot = true,
    .needs_dominators = true,
    .of_all = true },
};

struct options {
  struct view_options view;
  char *by, *shot, *fail_above;
  gboolean exit_code;
};

/* How much more there may be before the status is CLI_TRUE. */
struct threshold {
  bool is_set;
  bool is_percent;
  double number; /* bytes, or percent */
};

/* What the command line asks. */
struct asking {
  const struct question *question;
  const char *log;
  const char *subject; /* address or class; NULL: none */
  guint shot;          /* 0: the last */
  guint pair[2];       /* of diff */
  struct threshold threshold;
  enum heap_by by;
};

/* ---- the command line ---- */

static const struct question *
find_question (const char *name)
{
  for (size_t i = 0; i < G_N_ELEMENTS (questions); i++)
    if (strcmp (questions[i].name, name) == 0)
      return &questions[i];
  return NULL;
}

static bool
is_log (const char *word)
{
  return strcmp (word, "-") == 0 || g_file_test (word, G_FILE_TEST_EXISTS);
}

/* The log is the first word that is a file; if none is, the first. */
static char **
find_log (char **words)
{
  for (char **word = words; *word != NULL; word++)
    if (is_log (*word))
      return word;
  return words;
}

G_GNUC_PRINTF (2, 3)
static bool
refuse (GError **error, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  char *message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, message);
  g_free (message);
  return false;
}

static bool
parse_shot (const char *text, guint *shot, GError **error)
{
  guint64 number;
  if (!g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT, &number, NULL))
    return refuse (error, "%s: the number of a heap shot is needed; 'proflog heap LOG' lists them",
                   text);
  *shot = (guint) number;
  return true;
}

static bool
parse_by (const char *text, enum heap_by *by, GError **error)
{
  static const char *const names[] = { "class", "assembly", "size" };
  if (text == NULL)
    return true;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (text, names[i]) == 0) {
      *by = (enum heap_by) i;
      return true;
    }
  return refuse (error, "--by %s: there are class, assembly and size", text);
}

/* "5%", or bytes as "64K". */
static bool
parse_threshold (const struct options *o, struct threshold *t, GError **error)
{
  static const char units[] = "KMG";
  char *end;
  *t = (struct threshold){ .is_set = o->exit_code || o->fail_above != NULL };
  if (o->fail_above == NULL)
    return true;
  t->number = g_ascii_strtod (o->fail_above, &end);
  const bool is_number = end != o->fail_above && t->number >= 0 && t->number < 1e18;
  const char *unit = *end != '\0' ? strchr (units, *end) : NULL;
  t->is_percent = *end == '%';
  for (const char *each = units; unit != NULL && each <= unit; each++)
    t->number *= 1024;
  if (unit != NULL || t->is_percent)
    end++;
  return (is_number && *end == '\0')
         || refuse (error,
                    "--fail-above %s: a number of bytes is needed, as 64K, or percents as 5%%",
                    o->fail_above);
}

static bool
parse_address (const char *text, guint64 *address)
{
  return g_str_has_prefix (text, "0x")
         && g_ascii_string_to_unsigned (text + 2, 16, 0, G_MAXUINT64, address, NULL);
}

/* What stands besides the log. */
static bool
parse_words (struct asking *a, char **words, GError **error)
{
  const struct question *q = a->question;
  const bool wants_subject = q->has_object || q->has_class;
  if (wants_subject) {
    if (*words == NULL)
      return refuse (error, "%s: %s is needed", q->name,
                     q->has_class ? "the address of an object, or a class"
                                  : "the address of an object");
    a->subject = *words++;
  }
  for (guint i = 0; i < 2 && q->of_two; i++) {
    if (*words == NULL)
      return refuse (error, "%s: the numbers of two heap shots are needed", q->name);
    if (!parse_shot (*words++, &a->pair[i], error))
      return false;
  }
  if (q->of_two && a->pair[0] >= a->pair[1])
    return refuse (error, "%s %u %u: the earlier heap shot comes first", q->name, a->pair[0],
                   a->pair[1]);
  if (*words != NULL && q->of_shot && !parse_shot (*words++, &a->shot, error))
    return false;
  return *words == NULL || refuse (error, "'%s' makes no sense here", *words);
}

/* Are there rows that names can choose? */
static bool
has_named_rows (const struct asking *a)
{
  const struct question *q = a->question;
  guint64 address;
  return q->section != &heap_section_list
         && (!q->has_class || parse_address (a->subject, &address));
}

/* [QUESTION] LOG [SUBJECT] [N], the log anywhere. */
static bool
parse_asking (struct log_command *c, const struct options *o, struct asking *a, GError **error)
{
  char **words = c->logs;
  *a = (struct asking){ .question = find_question (words[0]) };
  if (a->question != NULL && words[1] == NULL && !is_log (words[0]))
    return refuse (error, "%s: of which log?", words[0]);
  if (a->question == NULL || words[1] == NULL)
    a->question = &questions[0];
  else
    words++;
  char **log = find_log (words);
  GPtrArray *others = g_ptr_array_new ();
  for (char **word = words; *word != NULL; word++)
    if (word != log)
      g_ptr_array_add (others, *word);
  g_ptr_array_add (others, NULL);
  a->log = *log;
  bool good = parse_words (a, (char **) others->pdata, error) && parse_by (o->by, &a->by, error);
  if (good && o->shot != NULL)
    good = a->shot == 0 ? parse_shot (o->shot, &a->shot, error)
                        : refuse (error, "--shot: there is a number of a heap shot already");
  good = good && parse_threshold (o, &a->threshold, error);
  if (good && o->fail_above != NULL && !a->question->of_two
      && a->question->section != &heap_section_growth)
    good = refuse (error, "--fail-above: it is for diff and growth");
  if (good && o->exit_code && !a->question->of_two && !a->question->of_all)
    good = refuse (error, "--exit-code: it is for diff, growth and leaks");
  if (good && o->by != NULL && a->question->section != &heap_section_histogram)
    good = refuse (error, "--by: it is for histogram");
  if (good && selection_has_names (&c->selection) && !has_named_rows (a))
    good = refuse (error, "--filter and --exclude: %s",
                   a->question->has_class ? "ways to a class are not chosen by names"
                                          : "heap shots have no names");
  g_ptr_array_free (others, TRUE);
  return good;
}

static bool
make_view (const struct log_command *command, const struct options *o, const struct asking *asking,
           struct view *view, GError **error)
{
  *view = (struct view){ .selection = &command->selection, .sections = g_ptr_array_new () };
  g_ptr_array_add (view->sections, (gpointer) asking->question->section);
  if (!view_options_apply (&o->view, command->format, ROWS, view, error))
    return false;
  const struct section *const all[] = { asking->question->section, NULL };
  GPtrArray *shapes = sections_shapes (view, all);
  const bool good = table_check_keys (view, shapes, error);
  g_ptr_array_unref (shapes);
  return good;
}

/* ---- the answer ---- */

/* What an answer is made of, besides the summary. */
struct answering {
  struct log_command *command;
  const struct asking *asking;
  const struct view *view;
  struct heap_answer answer;
  struct heap_graph *graph;
  struct heap_dominators *dominators;
  uint8_t *asked;
  bool is_true; /* the condition that was asked for */
};

static int
tell_no_shot (const struct answering *a, const struct summary *s, guint shot)
{
  const guint n = s->heapshots.begun;
  if (n == 0)
    cli_tell ("proflog heap: %s: the log has no heap shots; 'proflog run --heapshot' takes some",
              a->asking->log);
  else if (shot == 0)
    cli_tell ("proflog heap: %s: none of the log's %u heap shots is in the chosen part",
              a->asking->log, n);
  else if (shot <= n && a->command->selection.threads != NULL)
    cli_tell ("proflog heap: %s: heap shot %u is not of the chosen threads and times",
              a->asking->log, shot);
  else if (shot <= n && selection_has_times (&a->command->selection))
    cli_tell ("proflog heap: %s: heap shot %u lies outside of the time range", a->asking->log,
              shot);
  else
    cli_tell ("proflog heap: %s: there is no heap shot %u: the log has %u", a->asking->log, shot,
              n);
  return CLI_INPUT;
}

/* Classes of this name; if there are none, those that have it in theirs.  False if there are none
 * either. */
static bool
mark_class (struct answering *a, const char *name)
{
  const struct heap_graph *g = a->graph;
  bool any = false;
  uint8_t *chosen = g_new0 (uint8_t, g->n_classes + 1);
  for (int part = 0; part < 2 && !any; part++)
    for (uint32_t i = 0; i < g->n_classes; i++) {
      const char *full = g->class_list[i].name;
      chosen[i] = part ? strstr (full, name) != NULL : strcmp (full, name) == 0;
      any |= chosen[i];
    }
  a->asked = g_new0 (uint8_t, g->n_objects + 1);
  for (uint32_t i = 0; i < g->n_objects; i++)
    a->asked[i] = chosen[g->classes[i]];
  g_free (chosen);
  return any;
}

/* Finds what the question is about; false if there is no such thing, which is told. */
static bool
find_subject (struct answering *a)
{
  const char *subject = a->asking->subject;
  guint64 address;
  a->answer.object = HEAP_NONE;
  a->answer.subject = subject;
  if (subject == NULL)
    return true;
  if (parse_address (subject, &address)) {
    a->answer.object = heap_graph_find_inside (a->graph, address);
    if (a->answer.object == HEAP_NONE)
      cli_tell ("proflog heap: %s: heap shot %u has no object at %s", a->asking->log,
                a->graph->index, subject);
    return a->answer.object != HEAP_NONE;
  }
  if (!a->asking->question->has_class) {
    cli_tell ("proflog heap: %s: this is no address of an object, as 0x7f0a1c0012c0", subject);
    return false;
  }
  const bool any = mark_class (a, subject);
  a->answer.asked = a->asked;
  if (!any)
    cli_tell ("proflog heap: %s: heap shot %u has no object of a class '%s'", a->asking->log,
              a->graph->index, subject);
  return any;
}

static int
put_answer (struct answering *a, const struct summary *s)
{
  struct log_command *c = a->command;
  const struct question *q = a->asking->question;
  const struct section *const all[] = { q->section, &section_damage, NULL };
  struct view_rows rows = { 0 };
  struct view counting = *a->view;
  GString *text = g_string_new (NULL);
  struct emitter *emitter = emitter_new (c->format, text);
  counting.rows = &rows;
  emitter_set_tables_only (emitter);
  sections_write_heap (emitter, q->schema, a->asking->log, s, &a->answer, &counting, all);
  emitter_free (emitter);
  if (rows.shown == 0 && rows.seen != 0)
    log_command_tell_nothing (c, a->asking->log, rows.seen,
                              "rows that --filter, --exclude or --min-bytes look at");
  const bool good = output_write (&c->output, text);
  g_string_free (text, TRUE);
  return good ? CLI_OK : CLI_INPUT;
}

/* Is there more than is allowed? */
static bool
is_above (const struct threshold *t, uint64_t before, uint64_t now)
{
  const double allowed = t->is_percent ? (double) before * t->number / 100 : t->number;
  return t->is_set && now > before && (double) (now - before) > allowed;
}

/* Says what is missing in a shot that is asked about. */
static void
warn_of_state (const struct answering *a, const struct heap_graph *g)
{
  if (g->state == HEAPSHOT_COMPLETE)
    return;
  char *message
      = g_strdup_printf ("heap shot %u is %s: objects and references are missing%s", g->index,
                         heapshot_state_name (g->state),
                         g->state == HEAPSHOT_DAMAGED ? ", wrong, or those of another shot" : "");
  log_command_warn (a->command, a->asking->log, message);
  g_free (message);
}

/* About one shot; 0: the last. */
static int
answer_of_shot (struct answering *a, struct summary *s, guint shot)
{
  a->graph = heap_builder_make (&s->heap_builder, &s->symbols, &s->threads, shot);
  if (a->graph == NULL)
    return tell_no_shot (a, s, shot);
  warn_of_state (a, a->graph);
  if (!find_subject (a))
    return CLI_INPUT;
  if (a->asking->question->needs_dominators)
    a->dominators = heap_dominators_new (a->graph);
  return CLI_OK;
}

static int
put_it (struct answering *a, const struct summary *s)
{
  a->answer.graph = a->graph;
  a->answer.dominators = a->dominators;
  a->answer.by = a->asking->by;
  const int status = put_answer (a, s);
  return status == CLI_OK && a->is_true ? CLI_TRUE : status;
}

/* Says that the series has not all shots. */
static void
warn_of_series (const struct answering *a, const struct heap_growth *g)
{
  if (g->left_out == 0)
    return;
  char *message
      = g_strdup_printf ("%u of %u heap shots are left out of the series: they are cut or "
                         "damaged, as 'proflog heap list' tells",
                         g->left_out, g->left_out + g->n_shots);
  log_command_warn (a->command, a->asking->log, message);
  g_free (message);
}

static int
tell_no_series (const struct answering *a, const struct summary *s)
{
  if (s->heapshots.shots->len == 0)
    return tell_no_shot (a, s, 0);
  cli_tell ("proflog heap: %s: none of the heap shots is complete", a->asking->log);
  return CLI_INPUT;
}

static int
answer_series (struct answering *a, struct summary *s)
{
  struct heap_growth growth;
  heap_growth_init (&growth, s, 0);
  warn_of_series (a, &growth);
  a->answer.growth = &growth;
  if (growth.n_shots == 0) {
    heap_growth_clear (&growth);
    return tell_no_series (a, s);
  }
  a->is_true = is_above (&a->asking->threshold, growth.all.shots[0].bytes,
                         growth.all.shots[growth.n_shots - 1].bytes);
  const int status = put_it (a, s);
  heap_growth_clear (&growth);
  return status;
}

/* Of one shot, and growth up to it.  If it is one before the end of the program, `passed_over` is
 * the last; then, without a suspect, nothing is told, which `is_told` tells. */
static int
answer_leaks_of (struct answering *a, struct summary *s, guint shot,
                 const struct heapshot *passed_over, bool *is_told)
{
  struct heap_growth growth;
  struct heap_leaks leaks;
  *is_told = true;
  int status = answer_of_shot (a, s, shot);
  if (status != CLI_OK)
    return status;
  heap_growth_init (&growth, s, a->graph->index);
  heap_leaks_init (&leaks, a->graph, a->dominators, &growth, passed_over != NULL);
  a->answer.growth = &growth;
  a->answer.leaks = &leaks;
  a->answer.passed_over = passed_over;
  a->is_true = a->asking->threshold.is_set && leaks.all->len != 0;
  *is_told = passed_over == NULL || leaks.all->len != 0;
  if (*is_told) {
    warn_of_series (a, &growth);
    status = put_it (a, s);
  }
  heap_leaks_clear (&leaks);
  heap_growth_clear (&growth);
  return status;
}

static int
answer_leaks (struct answering *a, struct summary *s)
{
  const struct heapshot *last = NULL, *peak = NULL;
  bool is_told;
  if (a->asking->shot == 0)
    peak = heap_leaks_before_end (s, &last);
  if (peak != NULL) {
    const int status = answer_leaks_of (a, s, peak->index, last, &is_told);
    if (is_told)
      return status;
    g_clear_pointer (&a->dominators, heap_dominators_free);
    g_clear_pointer (&a->graph, heap_graph_free);
  }
  return answer_leaks_of (a, s, a->asking->shot, NULL, &is_told);
}

static int
answer_diff (struct answering *a, struct summary *s)
{
  const guint *pair = a->asking->pair;
  struct heap_builder *b = &s->heap_builder;
  struct heap_graph *before = heap_builder_make (b, &s->symbols, &s->threads, pair[0]);
  a->graph = heap_builder_make (b, &s->symbols, &s->threads, pair[1]);
  if (before == NULL || a->graph == NULL) {
    const int status = tell_no_shot (a, s, before == NULL ? pair[0] : pair[1]);
    heap_graph_free (before);
    return status;
  }
  struct heap_dominators *dominated = heap_dominators_new (before);
  struct heap_diff diff;
  a->dominators = heap_dominators_new (a->graph);
  heap_diff_init (&diff, &b->moves, before, dominated, a->graph, a->dominators);
  a->answer.before = before;
  a->answer.diff = &diff;
  a->is_true = is_above (&a->asking->threshold, before->total_bytes, a->graph->total_bytes);
  warn_of_state (a, before);
  warn_of_state (a, a->graph);
  const int status = put_it (a, s);
  heap_diff_clear (&diff);
  heap_dominators_free (dominated);
  heap_graph_free (before);
  return status;
}

static int
answer (struct answering *a, struct summary *s)
{
  if (a->asking->question->of_two)
    return answer_diff (a, s);
  if (a->asking->question->of_all)
    return a->asking->question->of_shot ? answer_leaks (a, s) : answer_series (a, s);
  const int status = a->asking->question->of_shot ? answer_of_shot (a, s, a->asking->shot) : CLI_OK;
  return status == CLI_OK ? put_it (a, s) : status;
}

/* Reads the log and answers. */
static int
ask (struct log_command *c, const struct asking *asking, const struct view *view)
{
  const enum log_format format = log_command_look (c, asking->log);
  if (format == LOG_FORMAT_GHC)
    return log_command_refuse_eventlog (c, asking->log,
                                        "'proflog report' tells what its heap profiles have");
  if (format == LOG_FORMAT_NONE || !log_command_can_choose (c, asking->log, format))
    return CLI_INPUT;
  const struct question *q = asking->question;
  const struct heap_choice one = { .last = asking->shot == 0,
                                   .indexes = &asking->shot,
                                   .n_indexes = asking->shot != 0,
                                   .peak = asking->shot == 0 && q->of_all };
  const struct heap_choice two = { .indexes = asking->pair, .n_indexes = 2, .moves = true };
  const struct scan_options options = { .graphs = q->of_two    ? &two
                                                  : q->of_shot ? &one
                                                               : NULL,
                                        .traces = q->of_shot && q->of_all };
  struct answering a = { .command = c, .asking = asking, .view = view };
  struct summary s;
  summary_init (&s, &options);
  int status = log_command_summarize (c, asking->log, &s, NULL);
  const guint told = s.log.messages->len;
  summary_finish (&s);
  for (guint i = told; i < s.log.messages->len; i++)
    log_command_warn (c, asking->log, g_ptr_array_index (s.log.messages, i));
  const int answered = s.log.has_header ? answer (&a, &s) : CLI_OK;
  status = MAX (status, answered);
  summary_clear (&s);
  heap_graph_free (a.graph);
  heap_dominators_free (a.dominators);
  g_free (a.asked);
  return status;
}

static int
run (struct log_command *c, const struct options *o)
{
  struct asking asking;
  struct view view = { 0 };
  GError *error = NULL;
  int status = CLI_OK;
  if (!parse_asking (c, o, &asking, &error) || !make_view (c, o, &asking, &view, &error)) {
    status = log_command_refuse (c, error);
  } else if (log_command_open (c, &status)) {
    status = ask (c, &asking, &view);
    status = log_command_finish (c, status);
  }
  view_clear (&view);
  return status;
}

int
cmd_heap (int argc, char **argv)
{
  struct options o = { 0 };
  char *help = view_options_limit_help (ROWS);
  const GOptionEntry entries[]
      = { { "shot", 0, 0, G_OPTION_ARG_FILENAME, &o.shot,
            "Which heap shot, in place of the last argument", "N" },
          { "by", 0, 0, G_OPTION_ARG_FILENAME, &o.by,
            "histogram: a row for each class (default), assembly or size", "WHAT" },
          { "exit-code", 0, 0, G_OPTION_ARG_NONE, &o.exit_code,
            "diff, growth: end with status 1 if there are more bytes; leaks: if there is a suspect",
            NULL },
          { "fail-above", 0, 0, G_OPTION_ARG_FILENAME, &o.fail_above,
            "diff, growth: the same if there are so many more, as 5% or 64K", "N[%|K|M|G]" },
          VIEW_OPTIONS_ROWS (&o.view, help),
          VIEW_OPTIONS_VERBOSE (&o.view),
          G_OPTION_ENTRY_NULL };
  const struct log_command_sort sort = {
    .name = "heap",
    .summary = "explain the heap shots of a log",
    .parameters = "[QUESTION] LOG [ARGUMENT...]",
    .description
    = "Questions, about heap shot N or else the last one that is whole:\n"
      "  list LOG                    which heap shots there are (also without a question)\n"
      "  histogram LOG [N]           objects, and what they retain, by class\n"
      "  dominators LOG [N]          which objects keep what alive, as a tree\n"
      "  paths LOG ADDR|CLASS [N]    the shortest ways to them from what roots hold\n"
      "  refs LOG ADDR [N]           what refers to an object, and what that refers to\n"
      "  object LOG ADDR [N]         all about an object\n"
      "  unreachable LOG [N]         objects that no root leads to\n"
      "  diff LOG N M                what came, went and grew from heap shot N to M\n"
      "  growth LOG                  all heap shots as series, by class\n"
      "  leaks LOG                   what looks like a leak, with the evidence\n\n"
      "An object retains what would be free without it; a class retains what its objects\n"
      "retain, each byte counted once.  Weak roots do not count.  Addresses are written as\n"
      "0x7f0a1c0012c0.  A class is meant by its name, or by a part of it if none has that name.\n"
      "In JSON and CSV, dominators is each object with its immediate dominator.\n\n"
      "Examples:\n"
      "  proflog heap app.mlpd\n"
      "  proflog heap histogram app.mlpd\n"
      "  proflog heap histogram app.mlpd 3 --by assembly\n"
      "  proflog heap dominators app.mlpd --format json | jq '.nodes[0]'\n"
      "  proflog heap paths app.mlpd MyApp.Session\n"
      "  proflog heap refs app.mlpd 0x7f0a1c0012c0\n"
      "  proflog heap diff app.mlpd 1 5 --fail-above 5%\n"
      "  proflog heap leaks app.mlpd --exit-code",
    .own = entries,
    .selects = SELECTS_PARTS | SELECTS_NAMES | SELECTS_BYTES,
  };
  struct log_command command;
  int status;
  if (log_command_parse (&command, &sort, argc, argv, &status))
    status = run (&command, &o);
  view_options_clear (&o.view);
  g_free (o.by);
  g_free (o.shot);
  g_free (o.fail_above);
  g_free (help);
  return status;
}
