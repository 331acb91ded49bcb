/* mprof-command.c -- the command line of mprof-report.
 *
 * Options are `--NAME` or `--NAME=VALUE`, and end at the first word that is none of them: the name
 * of the log.  Messages about the command line and the log are on standard output, as that program
 * has them; standard error has the reason, and the missing parts of a damaged log.
 */
#include "config.h"

#include "decoder/command/cli.h"
#include "decoder/log/log-command.h"
#include "decoder/log/log-kind.h"
#include "decoder/command/message.h"
#include "decoder/filter/filter-options.h"
#include "decoder/log/log-summary.h"
#include "decoder/report/report-commands.h"
#include "decoder/views/mprof/mprof.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME "mprof-report"
#define FRAMES 6
#define NS_PER_S 1e9

/* The statuses of mprof-report. */
enum { MPROF_OK, MPROF_ERROR, MPROF_NO_LOG };

/* The effect of an option's value on the command. */
enum mprof_parse {
  MPROF_PARSED,
  MPROF_USAGE,  /* the usage is printed, status 1 */
  MPROF_REFUSED /* a message was printed, status 2: mprof-report crashes */
};

/* The values of the options. */
struct mprof_command {
  struct log_command log;
  struct mprof_view view;
  GPtrArray *sections; /* those of the view; NULL: the usual ones */
};

static void
print_usage (void)
{
  fputs ("Mono log profiler report version 3.0\n"
         "Usage: mprof-report [OPTIONS] FILENAME\n"
         "FILENAME - is standard input.  This is proflog " PACKAGE_VERSION " under another name.\n"
         "Options:\n"
         "\t--help               print this text\n"
         "\t--out=FILE           the report goes to FILE\n"
         "\t--traces             backtraces, too\n"
         "\t--maxframes=NUM      frames of a backtrace at most, the outermost (6)\n"
         "\t--reports=R1[,R2...] only these sections, in this order:\n"
         "\t                     header,jit,gc,sample,alloc,call,metadata,exception,monitor,thread,"
         "domain,context,heapshot,counters,\n"
         "\t                     or stats\n"
         "\t--method-sort=MODE   order of methods: total, self, calls\n"
         "\t--alloc-sort=MODE    order of types: bytes, count\n"
         "\t--counters-sort=MODE order of counters with --verbose: time, category\n"
         "\t--track=OB1[,OB2...] only what happens to the objects at these addresses\n"
         "\t--find=FINDSPEC      only objects of at least N bytes, S:N, or of types with a part in "
         "their name, T:PART\n"
         "\t--thread=THREADID    only events of this thread\n"
         "\t--time=FROM-TO       only events between these seconds from the start\n"
         "\t--verbose            more in some sections\n",
         stdout);
}

/* ---- values of options ---- */

static enum mprof_parse
parse_reports (struct mprof_command *c, const char *text)
{
  g_autofree char *list = g_strdup (text);
  if (g_str_has_suffix (list, ","))
    list[strlen (list) - 1] = 0;
  g_clear_pointer (&c->sections, g_ptr_array_unref);
  c->sections = mprof_sections_parse (list);
  return c->sections != NULL ? MPROF_PARSED : MPROF_USAGE;
}

/* The place of a word among others, up to NULL; false if it is none of them. */
static bool
parse_word (const char *const *words, const char *text, unsigned *place)
{
  for (unsigned i = 0; words[i] != NULL; i++)
    if (strcmp (words[i], text) == 0) {
      *place = i;
      return true;
    }
  return false;
}

static enum mprof_parse
parse_method_sort (struct mprof_command *c, const char *text)
{
  static const char *const words[] = { "total", "self", "calls", NULL };
  unsigned place;
  if (!parse_word (words, text, &place))
    return MPROF_USAGE;
  c->view.method_order = (enum mprof_method_order) place;
  return MPROF_PARSED;
}

static enum mprof_parse
parse_alloc_sort (struct mprof_command *c, const char *text)
{
  static const char *const words[] = { "bytes", "count", NULL };
  unsigned place;
  if (!parse_word (words, text, &place))
    return MPROF_USAGE;
  c->view.type_order = (enum mprof_type_order) place;
  return MPROF_PARSED;
}

static enum mprof_parse
parse_counters_sort (struct mprof_command *c, const char *text)
{
  static const char *const words[] = { "time", "category", NULL };
  unsigned place;
  if (!parse_word (words, text, &place))
    return MPROF_USAGE;
  c->view.counter_order = (enum mprof_counter_order) place;
  return MPROF_PARSED;
}

/* As far as the text is a number. */
static enum mprof_parse
parse_maxframes (struct mprof_command *c, const char *text)
{
  c->view.max_frames = (guint) CLAMP (g_ascii_strtoll (text, NULL, 10), 0, G_MAXINT);
  return MPROF_PARSED;
}

/* Likewise; thread 0 is all threads. */
static enum mprof_parse
parse_thread (struct mprof_command *c, const char *text)
{
  const uint64_t id = g_ascii_strtoull (text, NULL, 0);
  g_autofree char *number = g_strdup_printf ("%" G_GUINT64_FORMAT, id);
  return id == 0 || selection_thread (&c->log.selection, number, NULL) ? MPROF_PARSED : MPROF_USAGE;
}

static struct selection_bound
bound_of (const char *seconds)
{
  const double ns = g_ascii_strtod (seconds, NULL) * NS_PER_S;
  return (struct selection_bound){ .given = true,
                                   .ns = ns <= 0                     ? 0
                                         : ns >= (double) G_MAXINT64 ? G_MAXINT64
                                                                     : (uint64_t) ns };
}

/* FROM-TO in seconds */
static enum mprof_parse
parse_time (struct mprof_command *c, const char *text)
{
  const char *const dash = strchr (text, '-');
  if (dash == NULL || dash[1] == 0)
    return MPROF_USAGE;
  struct selection *s = &c->log.selection;
  s->from = bound_of (text);
  s->to = bound_of (dash + 1);
  return s->from.ns <= s->to.ns ? MPROF_PARSED : MPROF_USAGE;
}

/* S:SIZE or T:PART; nothing is found by the size 0, and everything by an empty part. */
static enum mprof_parse
parse_find (struct mprof_command *c, const char *text)
{
  g_autofree char *find = NULL;
  if (g_str_has_prefix (text, "S:")) {
    const uint64_t size = g_ascii_strtoull (text + 2, NULL, 10);
    if (size == 0)
      return MPROF_PARSED;
    find = g_strdup_printf ("S:%" G_GUINT64_FORMAT, size);
  } else if (g_str_has_prefix (text, "T:")) {
    find = g_strdup (text[2] != 0 ? text : "S:1");
  }
  return find != NULL && selection_find (&c->log.selection, find, NULL) ? MPROF_PARSED
                                                                        : MPROF_USAGE;
}

static enum mprof_parse
parse_track (struct mprof_command *c, const char *text)
{
  g_autoptr (GError) error = NULL;
  if (*text == 0 || selection_track (&c->log.selection, text, &error))
    return MPROF_PARSED;
  cli_message (NAME ": %s", error->message);
  return MPROF_REFUSED;
}

static enum mprof_parse
parse_out (struct mprof_command *c, const char *text)
{
  c->log.path = text;
  return MPROF_PARSED;
}

static enum mprof_parse
parse_nothing (struct mprof_command *c, const char *text)
{
  (void) c;
  (void) text;
  return MPROF_PARSED;
}

static const struct {
  const char *name;
  enum mprof_parse (*parse) (struct mprof_command *command, const char *text);
} with_value[] = {
  { "--reports=", parse_reports },
  { "--out=", parse_out },
  { "--maxframes=", parse_maxframes },
  { "--method-sort=", parse_method_sort },
  { "--alloc-sort=", parse_alloc_sort },
  { "--counters-sort=", parse_counters_sort },
  { "--find=", parse_find },
  { "--track=", parse_track },
  { "--thread=", parse_thread },
  { "--time=", parse_time },
  { "--coverage-out=", parse_nothing },
};

/* ---- the command line ---- */

/* Parses one word.  False if it is no option. */
static bool
parse_option (struct mprof_command *c, const char *word, enum mprof_parse *result)
{
  for (size_t i = 0; i < G_N_ELEMENTS (with_value); i++)
    if (g_str_has_prefix (word, with_value[i].name)) {
      *result = with_value[i].parse (c, word + strlen (with_value[i].name));
      return true;
    }
  *result = MPROF_PARSED;
  if (strcmp (word, "--traces") == 0)
    c->view.traces = true;
  else if (strcmp (word, "--verbose") == 0)
    c->view.verbose = true;
  else if (strcmp (word, "--debug") == 0)
    cli_message (NAME ": --debug shows nothing here: 'proflog dump' prints all events");
  else
    return false;
  return true;
}

/* Parses the options.  False with the status if that was all. */
static bool
parse_words (struct mprof_command *c, int argc, char **argv, const char **path, int *status)
{
  enum mprof_parse result;
  int i;
  for (i = 1; i < argc; i++) {
    if (strcmp (argv[i], "--help") == 0) {
      print_usage ();
      *status = MPROF_OK;
      return false;
    }
    if (!parse_option (c, argv[i], &result))
      break;
    if (result != MPROF_PARSED) {
      if (result == MPROF_USAGE)
        print_usage ();
      *status = result == MPROF_USAGE ? MPROF_ERROR : CLI_USAGE;
      return false;
    }
  }
  if (i < argc) {
    *path = argv[i];
    return true;
  }
  print_usage ();
  *status = MPROF_NO_LOG;
  return false;
}

/* ---- the report ---- */

/* Prints the report of the readable part of the log. */
static int
report_log (struct mprof_command *c, const char *path)
{
  struct log_command *log = &c->log;
  struct summary summary;
  struct object_filter objects;
  object_filter_init (&objects, &log->selection);
  struct object_filter *const selected = object_filter_is_active (&objects) ? &objects : NULL;
  const struct scan_options options = { .traces = c->view.traces,
                                        .callers = c->view.traces && c->view.max_frames != 0,
                                        .frames = c->view.max_frames,
                                        .objects = selected };
  summary_init (&summary, &options);
  int status
      = log_command_summarize (log, path, &summary, selected) == CLI_OK ? MPROF_OK : MPROF_ERROR;
  summary_finish (&summary);
  if (summary.log.has_header) {
    GString *text = g_string_new (NULL);
    mprof_report_write (text, &summary, &c->view);
    if (!output_write (&log->output, text))
      status = MPROF_ERROR;
    g_string_free (text, TRUE);
  } else {
    puts ("Not a log profiler data file (or unsupported version).");
    status = MPROF_ERROR;
  }
  summary_clear (&summary);
  object_filter_clear (&objects);
  return status;
}

/* Opens the output and the log. */
static int
report (struct mprof_command *c, const char *path)
{
  if (!output_open (&c->log.output, NAME, c->log.path, true)) {
    printf ("Cannot open output file: %s\n", c->log.path);
    return MPROF_ERROR;
  }
  const struct log_kind *kind = log_kind_detect (&c->log, path, false);
  if (kind == &log_kind_mono)
    return report_log (c, path);
  if (kind == NULL) {
    printf ("Cannot open file: %s\n", path);
    return MPROF_ERROR;
  }
  kind->refuse (&c->log, path, "'proflog report' reads it");
  puts ("Not a log profiler data file (or unsupported version).");
  return MPROF_ERROR;
}

bool
mprof_command_is_name (const char *program)
{
  g_autofree char *name = program != NULL ? g_path_get_basename (program) : NULL;
  return name != NULL && strcmp (name, NAME) == 0;
}

int
mprof_command_run (int argc, char **argv)
{
  struct mprof_command c = { .log = { .name = NAME }, .view = { .max_frames = FRAMES } };
  const char *path;
  int status;
  if (parse_words (&c, argc, argv, &path, &status)) {
    c.view.sections = c.sections;
    c.view.selection = &c.log.selection;
    status = report (&c, path);
    if (!output_close (&c.log.output))
      status = MPROF_ERROR;
  }
  selection_clear (&c.log.selection);
  g_clear_pointer (&c.sections, g_ptr_array_unref);
  return status;
}
