/* log-command.c -- options, input, output of the commands that read logs. */
#include "decoder/cli/log-command.h"
#include "config.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/short-options.h"
#include "decoder/cli/tell.h"
#include "decoder/analyses/ghc-order.h"
#include "decoder/analyses/ghc-replay.h"
#include "decoder/analyses/log-selection.h"
#include "decoder/analyses/object-search.h"
#include "decoder/formats/log-input.h"
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

/* Damage that is told on stderr; the rest is counted. */
#define WARNINGS_MAX 5

static gboolean
parse_format (const char *option, const char *value, gpointer data, GError **error)
{
  static const struct {
    const char *name;
    enum emitter_format format;
  } formats[] = { { "text", EMITTER_TEXT },
                  { "json", EMITTER_JSON },
                  { "csv", EMITTER_CSV },
                  { "markdown", EMITTER_MARKDOWN },
                  { "md", EMITTER_MARKDOWN } };
  struct log_command *command = data;
  (void) option;
  if (command->sort->is_log) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION,
                 "--format: what it writes is a log");
    return FALSE;
  }
  for (size_t i = 0; i < G_N_ELEMENTS (formats); i++)
    if (strcmp (value, formats[i].name) == 0
        && !(formats[i].format == EMITTER_MARKDOWN && command->sort->is_lines)
        && !(formats[i].format != EMITTER_TEXT && command->sort->is_text)) {
      command->format = formats[i].format;
      return TRUE;
    }
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--format %s: there %s", value,
               command->sort->is_text    ? "is text only; 'proflog dump' has others"
               : command->sort->is_lines ? "are text, json and csv"
                                         : "are text, json, csv and markdown");
  return FALSE;
}

/* Options of mprof-report that have another name here. */
static gboolean
refuse_stock (const char *option, const char *value, gpointer data, GError **error)
{
  static const struct {
    const char *option, *ours;
  } names[] = {
    { "--time", "--time-range A~B" },
    { "--method-sort", "proflog report --reports=calls --sort total, self or calls" },
    { "--alloc-sort", "proflog report --reports=alloc --sort bytes or objects" },
    { "--out", "--output" },
  };
  (void) value;
  (void) data;
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (option, names[i].option) == 0)
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION,
                   "%s is an option of mprof-report; here it is %s", option, names[i].ours);
  return FALSE;
}

/* Options of the selection, each with its own parser. */
static const struct selection_option {
  const char *name, *argument, *doc;
  unsigned set;
  bool (*parse) (struct selection *selection, const char *text, GError **error);
  const char *why; /* a command has no use for it */
} selection_options[]
    = { { "thread", "ID|NAME|GLOB,...",
          "Only these threads: ids, names or patterns; may be repeated", SELECTS_PARTS,
          selection_thread, "single threads" },
        { "time-range", "A~B",
          "Only these times from the first buffer on: seconds, or with ns, us, ms, s, m, h, %",
          SELECTS_PARTS | SELECTS_TIME_RANGE, selection_time_range, NULL },
        { "cap", "N,...", "Only these capabilities of an eventlog, 'none' too; may be repeated",
          SELECTS_CAPS, selection_cap, "capabilities" },
        { "filter", "RE", "Only methods and types that match; may be repeated", SELECTS_NAMES,
          selection_filter, "names of methods or types" },
        { "exclude", "RE", "No methods and types that match; may be repeated", SELECTS_NAMES,
          selection_exclude, "names of methods or types" },
        { "depth", "N", "Calls to this depth only", SELECTS_DEPTH, selection_depth, "calls" },
        { "min-time", "T", "Only what takes so long: seconds, or with ns, us, ms, s, m, h",
          SELECTS_TIMES, selection_min_time, "how long something takes" },
        { "min-bytes", "N[K|M|G]", "Only types and objects of at least so many bytes",
          SELECTS_BYTES, selection_min_bytes, "sizes" } };

static gboolean
parse_selection (const char *option, const char *value, gpointer data, GError **error)
{
  struct log_command *command = data;
  for (size_t i = 0; i < G_N_ELEMENTS (selection_options); i++) {
    const struct selection_option *o = &selection_options[i];
    if (strcmp (option + strlen ("--"), o->name) != 0)
      continue;
    if ((command->sort->selects & o->set) != 0)
      return o->parse (&command->selection, value, error);
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 "%s chooses nothing here: 'proflog %s' does not show %s", option, command->name,
                 o->why);
    return FALSE;
  }
  g_return_val_if_reached (FALSE);
}

/* Values are taken as they are: text in them is UTF-8, whatever the locale. */
#define BYTES G_OPTION_FLAG_FILENAME

/* Those that the command has no use for are known, so that they can be refused, but not told. */
static void
make_selection_entries (unsigned selects, GOptionEntry *entries)
{
  for (size_t i = 0; i < G_N_ELEMENTS (selection_options); i++) {
    const struct selection_option *o = &selection_options[i];
    entries[i] = (GOptionEntry){
      .long_name = o->name,
      .flags = (selects & o->set) != 0 ? BYTES : BYTES | G_OPTION_FLAG_HIDDEN,
      .arg = G_OPTION_ARG_CALLBACK,
      .arg_data = (gpointer) parse_selection,
      .description = o->doc,
      .arg_description = o->argument,
    };
  }
  entries[G_N_ELEMENTS (selection_options)] = (GOptionEntry){ .long_name = NULL };
}

/* What the command line comes to: true to go on, else *status. */
static bool
parse (struct log_command *c, GOptionContext *context, int argc, char **argv, int *status)
{
  gboolean help = FALSE, version = FALSE;
  const GOptionEntry common[]
      = { { "format", 'f',
            c->sort->is_text || c->sort->is_log ? BYTES | G_OPTION_FLAG_HIDDEN : BYTES,
            G_OPTION_ARG_CALLBACK, (gpointer) parse_format,
            c->sort->is_lines ? "How to print: text (default), json or csv"
                              : "How to print: text (default), json, csv or markdown",
            "FORMAT" },
          { "output", 'o', 0, G_OPTION_ARG_FILENAME, &c->path,
            "Write to FILE instead of standard output", "FILE" },
          { "force", 0, 0, G_OPTION_ARG_NONE, &c->force, "Replace FILE if it is there", NULL },
          { "strict", 0, 0, G_OPTION_ARG_NONE, &c->strict,
            "End with status 4 if a log is damaged or cut", NULL },
          { "quiet", 'q', 0, G_OPTION_ARG_NONE, &c->quiet, "No warnings, no progress", NULL },
          { "time", 0, BYTES | G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_CALLBACK, (gpointer) refuse_stock,
            NULL, NULL },
          { "method-sort", 0, BYTES | G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_CALLBACK,
            (gpointer) refuse_stock, NULL, NULL },
          { "alloc-sort", 0, BYTES | G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_CALLBACK,
            (gpointer) refuse_stock, NULL, NULL },
          { "out", 0, BYTES | G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_CALLBACK, (gpointer) refuse_stock,
            NULL, NULL },
          { "version", 'V', 0, G_OPTION_ARG_NONE, &version, "Tell which proflog this is", NULL },
          { "help", 'h', 0, G_OPTION_ARG_NONE, &help, "Print this text", NULL },
          { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &c->logs, NULL, NULL },
          G_OPTION_ENTRY_NULL };
  GOptionEntry selection[G_N_ELEMENTS (selection_options) + 1];
  make_selection_entries (c->sort->selects, selection);
  GOptionGroup *group = g_option_context_get_main_group (context);
  if (c->sort->selects != 0)
    g_option_group_add_entries (group, selection);
  g_option_group_add_entries (group, common);

  char *program = g_strconcat ("proflog ", c->name, NULL);
  g_set_prgname (program);
  GError *error = NULL;
  *status = CLI_USAGE;
  const GOptionEntry *const all[] = { common, selection, c->sort->own, NULL };
  char **words = short_options_split (all, argc, argv);
  bool go_on = g_option_context_parse_strv (context, &words, &error);
  g_strfreev (words);
  if (!go_on) {
    cli_tell ("%s: %s; see '%s --help'", program, error->message, program);
    g_error_free (error);
  } else if (help) {
    char *text = g_option_context_get_help (context, TRUE, NULL);
    fputs (text, stdout);
    g_free (text);
    *status = CLI_OK;
    go_on = false;
  } else if (version) {
    puts ("proflog " PACKAGE_VERSION);
    *status = CLI_OK;
    go_on = false;
  } else if (c->logs == NULL) {
    cli_tell ("%s: which log? ('-' is standard input); see '%s --help'", program, program);
    go_on = false;
  }
  g_free (program);
  return go_on;
}

bool
log_command_parse (struct log_command *c, const struct log_command_sort *sort, int argc,
                   char **argv, int *status)
{
  *c = (struct log_command){ .name = sort->name, .sort = sort };
  char *parameters = g_strdup_printf (
      "%s - %s", sort->parameters != NULL ? sort->parameters : "LOG...", sort->summary);
  GOptionContext *context = g_option_context_new (parameters);
  GOptionGroup *group = g_option_group_new (sort->name, NULL, NULL, c, NULL);
  if (sort->own != NULL)
    g_option_group_add_entries (group, sort->own);
  g_option_context_set_main_group (context, group);
  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_set_description (context, sort->description);
  bool go_on = parse (c, context, argc, argv, status);
  g_option_context_free (context);
  g_free (parameters);
  c->sort = NULL;
  if (!go_on)
    log_command_finish (c, *status);
  return go_on;
}

/* Is the output one of the logs?  It would be gone before it is read. */
static bool
is_log (const struct log_command *c)
{
  GStatBuf output, log;
  if (c->path == NULL || g_stat (c->path, &output) != 0 || !S_ISREG (output.st_mode))
    return false;
  for (char **path = c->logs; *path != NULL; path++)
    if (g_stat (*path, &log) == 0 && log.st_dev == output.st_dev && log.st_ino == output.st_ino)
      return true;
  return false;
}

bool
log_command_open (struct log_command *c, int *status)
{
  /* A file that grows beyond the limit is an error of its write, and no sudden death. */
  signal (SIGXFSZ, SIG_IGN);
  if (is_log (c)) {
    cli_tell ("proflog: %s: is a log to be read, and cannot be the output too", c->path);
    *status = log_command_finish (c, CLI_USAGE);
    return false;
  }
  if (output_open (&c->output, c->name, c->path, c->force))
    return true;
  *status = log_command_finish (c, CLI_INPUT);
  return false;
}

int
log_command_refuse (struct log_command *c, GError *error)
{
  cli_tell ("proflog %s: %s; see 'proflog %s --help'", c->name, error->message, c->name);
  g_error_free (error);
  return log_command_finish (c, CLI_USAGE);
}

int
log_command_finish (struct log_command *c, int status)
{
  if (!output_close (&c->output) && status <= CLI_TRUE)
    status = CLI_INPUT;
  if (status <= CLI_TRUE && c->strict && c->damaged)
    status = CLI_DAMAGED;
  g_free (c->path);
  g_strfreev (c->logs);
  selection_clear (&c->selection);
  return status;
}

/* ---- reading ---- */

struct reading {
  struct log_command *command;
  const char *name;
  guint warnings;
  bool has_header;
};

/* What messages call a log, as those of reading it do. */
static const char *
called (const char *log_name)
{
  return strcmp (log_name, "-") == 0 ? "standard input" : log_name;
}

void
log_command_warn (struct log_command *c, const char *log_name, const char *message)
{
  c->damaged = true;
  progress_clear (&c->progress);
  if (!c->quiet && !c->tells_damage)
    cli_tell ("proflog: %s: warning: %s", called (log_name), message);
}

void
log_command_tell_nothing (const struct log_command *c, const char *log_name, uint64_t count,
                          const char *things)
{
  if (!c->quiet && count == 0)
    cli_tell ("proflog: %s: warning: nothing to choose from: no %s", called (log_name), things);
  else if (!c->quiet)
    cli_tell ("proflog: %s: warning: nothing was chosen: none of %" G_GUINT64_FORMAT " %s",
              called (log_name), count, things);
}

static void
warn_of_damage (struct reading *r, const char *message)
{
  r->command->damaged = true;
  if (r->warnings++ < WARNINGS_MAX)
    log_command_warn (r->command, r->name, message);
}

/* Takes notice of damage.  Of a log that ends in its header nothing can be told. */
static void
look_at_damage (struct reading *r, const char *damage, uint64_t skipped, int *status)
{
  if (r->has_header && skipped != 0) {
    char *message = g_strdup_printf ("%s (%" G_GUINT64_FORMAT " bytes skipped)", damage, skipped);
    warn_of_damage (r, message);
    g_free (message);
  } else if (r->has_header) {
    warn_of_damage (r, damage);
  } else {
    cli_tell ("proflog: %s: %s", r->name, damage);
    *status = CLI_INPUT;
  }
}

static void
look_at (struct reading *r, const struct mlpd_item *item, int *status)
{
  r->has_header |= item->type == MLPD_ITEM_FILE_HEADER;
  if (item->type == MLPD_ITEM_DAMAGE)
    look_at_damage (r, item->damage->message, item->damage->skipped, status);
}

static bool
report_error (struct reading *r, const GError *error)
{
  progress_clear (&r->command->progress);
  /* Errors of the input tell its name already. */
  if (g_error_matches (error, PROFLOG_READ_ERROR, PROFLOG_READ_ERROR_INPUT))
    cli_tell ("proflog: %s", error->message);
  else
    cli_tell ("proflog: %s: %s", r->name, error->message);
  return false;
}

/* A reader of either format at work. */
struct feed {
  const struct feed_sort *sort;
  struct reading *r;
  void *reader;
  const void *handler; /* struct log_handler or ghc_handler */
  void *data;
  GString *text;
  int status;
};

/* What tells the formats apart. */
struct feed_sort {
  void (*push) (struct feed *f, const uint8_t *bytes, size_t length);
  void (*finish) (struct feed *f);
  enum proflog_result (*take) (struct feed *f); /* one item, to the handler */
  const GError *(*error) (const struct feed *f);
};

/* Writes what the handler made when it is enough to be worth it; false if that fails. */
static bool
write_some (struct feed *f)
{
  struct log_command *c = f->r->command;
  if (f->text->len <= 64 * 1024)
    return true;
  progress_clear (&c->progress);
  if (!output_write (&c->output, f->text)) {
    f->status = CLI_INPUT;
    return false;
  }
  g_string_truncate (f->text, 0);
  return true;
}

static void
push_mono (struct feed *f, const uint8_t *bytes, size_t length)
{
  mlpd_reader_push (f->reader, bytes, length);
}

static void
finish_mono (struct feed *f)
{
  mlpd_reader_finish (f->reader);
}

static enum proflog_result
take_mono (struct feed *f)
{
  const struct log_handler *handler = f->handler;
  const struct mlpd_item *item;
  const enum proflog_result result = mlpd_reader_next (f->reader, &item);
  if (result == PROFLOG_EVENT) {
    look_at (f->r, item, &f->status);
    if (item->type == MLPD_ITEM_BUFFER)
      buffer_choice_begin (&f->r->command->choice, item->buffer->time_base);
    handler->item (f->data, item, f->text);
  }
  return result;
}

static const GError *
error_mono (const struct feed *f)
{
  return mlpd_reader_error (f->reader);
}

static const struct feed_sort feed_mono = { push_mono, finish_mono, take_mono, error_mono };

/* What can be taken of a block at once. */
static void
take_span (struct feed *f)
{
  const struct ghc_handler *handler = f->handler;
  struct ghc_span span;
  if (handler->span != NULL && ghc_span_of (f->reader, &span))
    ghc_span_pass (f->reader, handler->span (f->data, &span));
}

static void
push_ghc (struct feed *f, const uint8_t *bytes, size_t length)
{
  ghc_reader_push (f->reader, bytes, length);
  take_span (f);
}

static void
finish_ghc (struct feed *f)
{
  ghc_reader_finish (f->reader);
}

static enum proflog_result
take_ghc (struct feed *f)
{
  const struct ghc_handler *handler = f->handler;
  const struct ghc_item *item;
  const enum proflog_result result = ghc_reader_next (f->reader, &item);
  if (result == PROFLOG_EVENT) {
    f->r->has_header |= item->type == GHC_ITEM_HEADER;
    if (item->type == GHC_ITEM_DAMAGE)
      look_at_damage (f->r, item->damage->message, item->damage->skipped, &f->status);
    handler->item (f->data, item, f->text);
    take_span (f);
  }
  return result;
}

static const GError *
error_ghc (const struct feed *f)
{
  return ghc_reader_error (f->reader);
}

static const struct feed_sort feed_ghc = { push_ghc, finish_ghc, take_ghc, error_ghc };

/* Gives the reader more, nothing at the end, and takes all items that it makes of it; false at its
 * end or on an error, with the status set. */
static bool
feed_some (struct feed *f, const uint8_t *bytes, size_t length)
{
  enum proflog_result result;
  if (length == 0)
    f->sort->finish (f);
  else
    f->sort->push (f, bytes, length);
  while ((result = f->sort->take (f)) == PROFLOG_EVENT)
    if (!write_some (f))
      return false;
  if (result == PROFLOG_ERROR) {
    report_error (f->r, f->sort->error (f));
    f->status = CLI_INPUT;
  }
  return result == PROFLOG_NEED_MORE;
}

/* Bytes of a log in a file; 0 if that cannot be told: of what is compressed, or no file. */
static uint64_t
size_of (const char *path)
{
  GStatBuf st;
  if (g_stat (path, &st) != 0 || !S_ISREG (st.st_mode))
    return 0;
  FILE *file = g_fopen (path, "re");
  const bool is_gzip = file != NULL && fgetc (file) == 0x1f && fgetc (file) == 0x8b;
  if (file != NULL)
    fclose (file);
  return is_gzip ? 0 : (uint64_t) st.st_size;
}

/* Tells of a spool beside a log.  One that cannot be used would have had more. */
static void
tell_spool (struct log_command *c, const struct log_input_recovery *spool)
{
  if (spool == NULL)
    return;
  c->damaged |= spool->is_loss;
  if (!c->quiet)
    cli_tell ("proflog: %s", spool->message);
}

static struct log_input *
open_input (struct reading *r, const char *path)
{
  GError *error = NULL;
  struct log_input *input = g_steal_pointer (&r->command->input);
  if (input == NULL) {
    input = log_input_open (path, &error);
    if (input == NULL) {
      report_error (r, error);
      g_error_free (error);
      return NULL;
    }
    tell_spool (r->command, log_input_recovery (input));
  }
  r->name = log_input_name (input);
  progress_begin (&r->command->progress, size_of (path), r->command->quiet);
  return input;
}

/* Closes the input; what is wrong with its compression, or NULL.  The caller's. */
static char *
close_input (struct reading *r, struct log_input *input, int status, bool *truncated)
{
  const struct log_input_damage *damage = status == CLI_OK ? log_input_damage (input) : NULL;
  char *message = damage != NULL ? g_strdup (damage->message) : NULL;
  *truncated = damage != NULL && damage->truncated;
  progress_clear (&r->command->progress);
  if (message != NULL)
    warn_of_damage (r, message);
  if (r->warnings > WARNINGS_MAX && !r->command->quiet && !r->command->tells_damage)
    cli_tell ("proflog: %s: warning: ... and %u more", r->name, r->warnings - WARNINGS_MAX);
  log_input_close (input);
  return message;
}

enum log_format
log_command_look (struct log_command *c, const char *path)
{
  struct reading r = { .command = c, .name = path };
  c->input = open_input (&r, path);
  if (c->input == NULL)
    return LOG_FORMAT_NONE;
  return log_input_is_eventlog (c->input) ? LOG_FORMAT_GHC : LOG_FORMAT_MONO;
}

static int
refuse_log (struct log_command *c, const char *path, const char *what, const char *why)
{
  progress_clear (&c->progress);
  cli_tell ("proflog %s: %s is %s: %s", c->name, path, what, why);
  g_clear_pointer (&c->input, log_input_close);
  return CLI_INPUT;
}

int
log_command_refuse_eventlog (struct log_command *c, const char *path, const char *why)
{
  return refuse_log (c, path, "an eventlog of GHC", why);
}

int
log_command_refuse_mono (struct log_command *c, const char *path, const char *why)
{
  return refuse_log (c, path, "no eventlog of GHC", why);
}

/* Reads the input to its end, or to an error. */
static void
feed_all (struct feed *f, struct log_input *input)
{
  GError *error = NULL;
  const uint8_t *bytes;
  size_t length;
  uint64_t read = 0;
  bool more = true;
  while (more) {
    if (!log_input_read (input, &bytes, &length, &error)) {
      report_error (f->r, error);
      g_clear_error (&error);
      f->status = CLI_INPUT;
      break;
    }
    more = feed_some (f, bytes, length) && length != 0;
    progress_update (&f->r->command->progress, read += length);
  }
}

/* An eventlog that is put in order. */
struct ordering {
  struct reading *r;
  struct log_input *input;
  const struct ghc_choice *choice;
  const struct ghc_order_handler *handler;
  void *data;
  GString *text;
  int status;
  bool again; /* it was read before: what is wrong with it was told */
};

static void
watch_ghc_item (void *data, const struct ghc_item *item)
{
  struct ordering *o = data;
  o->r->has_header |= item->type == GHC_ITEM_HEADER;
  if (item->type == GHC_ITEM_DAMAGE && !o->again)
    look_at_damage (o->r, item->damage->message, item->damage->skipped, &o->status);
}

static void
watch_ghc_progress (void *data, uint64_t bytes)
{
  struct ordering *o = data;
  progress_update (&o->r->command->progress, bytes);
}

static void
order_item (void *data, const struct ghc_item *item, GString *text)
{
  const struct ordering *o = data;
  o->handler->item (o->data, item, text);
}

static bool
write_ordered (void *data, GString *text)
{
  struct ordering *o = data;
  struct log_command *c = o->r->command;
  if (o->handler->take != NULL) {
    const bool go_on = o->handler->take (o->data, text);
    g_string_truncate (text, 0);
    return go_on;
  }
  if (text->len != 0)
    progress_clear (&c->progress);
  if (!output_write (&c->output, text))
    o->status = CLI_INPUT;
  g_string_truncate (text, 0);
  return o->status == CLI_OK;
}

static bool
order_part (struct ordering *o, const struct ghc_chunks *chunks, const struct ghc_part *part)
{
  const struct ghc_order_sink sink = { order_item, write_ordered, o };
  struct ghc_order_options options = { .to = UINT64_MAX };
  if (!o->handler->all_times)
    options.from = o->choice->from;
  if (!o->handler->all_times && o->choice->to != UINT64_MAX)
    options.to = o->choice->to - 1;
  o->handler->begin (o->data, &part->layout->header, o->text);
  if (!write_ordered (o, o->text) || !ghc_order_events (chunks, part, o->input, &options, &sink))
    return false;
  o->handler->end (o->data, part->events, o->text);
  return write_ordered (o, o->text);
}

static void
order_parts (struct ordering *o)
{
  const struct ghc_chunks_watch watch = { watch_ghc_item, watch_ghc_progress, o };
  struct ghc_chunks chunks;
  GError *error = NULL;
  if (!ghc_chunks_init (&chunks, o->input, 0, &watch, &error)) {
    report_error (o->r, error);
    g_error_free (error);
    o->status = CLI_INPUT;
  }
  for (guint i = 0; i < chunks.parts->len; i++)
    if (o->status != CLI_OK
        || !order_part (o, &chunks, &g_array_index (chunks.parts, struct ghc_part, i)))
      break;
  ghc_chunks_clear (&chunks);
}

/* The events once more, in order of time. */
static void
feed_in_order (struct feed *f, struct log_input *input, const struct ghc_order_handler *handler,
               const struct ghc_choice *choice)
{
  GError *error = NULL;
  struct ordering o = { .r = f->r,
                        .input = input,
                        .choice = choice,
                        .handler = handler,
                        .data = f->data,
                        .text = f->text,
                        .again = true };
  log_input_rewind (input);
  if (!log_input_spool (input, &error)) {
    report_error (f->r, error);
    g_error_free (error);
    f->status = CLI_INPUT;
    return;
  }
  order_parts (&o);
  f->status = o.status;
}

/* Writes what is left of the output and closes the log that was read.  `damage` is the handler's.
 */
static int
feed_end (struct feed *f, struct log_input *input,
          void (*damage) (void *data, bool truncated, const char *message, GString *text))
{
  bool truncated;
  char *message = close_input (f->r, input, f->status, &truncated);
  if (message != NULL)
    damage (f->data, truncated, message, f->text);
  g_free (message);
  if (!output_write (&f->r->command->output, f->text))
    f->status = CLI_INPUT;
  g_string_free (f->text, TRUE);
  return f->status;
}

static int
refuse_input (struct reading *r, struct log_input *input, GError *error)
{
  report_error (r, error);
  g_error_free (error);
  log_input_close (input);
  return CLI_INPUT;
}

int
log_command_read (struct log_command *c, const char *path, const struct log_handler *handler,
                  void *data)
{
  struct reading r = { .command = c, .name = path };
  GError *error = NULL;
  struct log_input *input = open_input (&r, path);
  if (input == NULL)
    return CLI_INPUT;
  buffer_choice_init (&c->choice, &c->selection, NULL);
  if ((selection_needs_thread_names (&c->selection) || selection_needs_last_time (&c->selection))
      && !log_selection_survey (&c->choice, input, &error))
    return refuse_input (&r, input, error);
  struct mlpd_reader *reader = mlpd_reader_new ();
  struct feed f
      = { .sort = &feed_mono, .r = &r, .reader = reader, .handler = handler, .data = data };
  f.text = g_string_new (NULL);
  feed_all (&f, input);
  const int status = feed_end (&f, input, handler->damage);
  mlpd_reader_free (reader);
  buffer_choice_clear (&c->choice);
  return status;
}

int
log_command_read_eventlog (struct log_command *c, const char *path,
                           const struct ghc_handler *handler, void *data)
{
  struct reading r = { .command = c, .name = path };
  GError *error = NULL;
  struct log_input *input = open_input (&r, path);
  if (input == NULL)
    return CLI_INPUT;
  struct ghc_choice choice;
  if (!ghc_choice_init (&choice, &c->selection, input, &error)
      || (handler->ordered != NULL && !log_input_keep (input, &error))) {
    ghc_choice_clear (&choice);
    return refuse_input (&r, input, error);
  }
  if (handler->choice != NULL)
    handler->choice (data, &choice);
  struct ghc_reader *reader = ghc_reader_new ();
  struct feed f
      = { .sort = &feed_ghc, .r = &r, .reader = reader, .handler = handler, .data = data };
  f.text = g_string_new (NULL);
  feed_all (&f, input);
  if (handler->ordered != NULL && f.status == CLI_OK)
    feed_in_order (&f, input, handler->ordered, &choice);
  const int status = feed_end (&f, input, handler->damage);
  ghc_reader_free (reader);
  ghc_choice_clear (&choice);
  return status;
}

int
log_command_order_eventlog (struct log_command *c, const char *path,
                            const struct ghc_order_handler *handler, void *data)
{
  struct reading r = { .command = c, .name = path };
  GError *error = NULL;
  struct log_input *input = open_input (&r, path);
  if (input == NULL)
    return CLI_INPUT;
  struct ghc_choice choice;
  if (!ghc_choice_init (&choice, &c->selection, input, &error)
      || !log_input_spool (input, &error)) {
    ghc_choice_clear (&choice);
    return refuse_input (&r, input, error);
  }
  handler->choice (data, &choice);
  struct ordering o = { .r = &r,
                        .input = input,
                        .choice = &choice,
                        .handler = handler,
                        .data = data,
                        .text = g_string_new (NULL),
                        .status = CLI_OK };
  order_parts (&o);
  bool truncated;
  g_free (close_input (&r, input, o.status, &truncated));
  g_string_free (o.text, TRUE);
  ghc_choice_clear (&choice);
  return o.status;
}

/* A summary of an eventlog that is made when it is known which times count. */
struct summarizing {
  struct ghc_summary *summary;
  unsigned wants;
  struct ghc_header header; /* of the events that come in order of time; without its types */
};

static void
begin_summary (void *data, struct ghc_choice *choice)
{
  struct summarizing *s = data;
  const struct ghc_times times = { choice->from, choice->to };
  ghc_summary_clear (s->summary);
  ghc_summary_init (s->summary, &times, s->wants);
  if (choice->selection->caps != NULL)
    s->summary->selection = choice->selection;
}

static void
summarize_item (void *data, const struct ghc_item *item, GString *text)
{
  struct summarizing *s = data;
  (void) text;
  ghc_summary_item (s->summary, item);
}

static size_t
summarize_span (void *data, const struct ghc_span *span)
{
  struct summarizing *s = data;
  return ghc_summary_span (s->summary, span);
}

static void
summarize_damage (void *data, bool truncated, const char *message, GString *text)
{
  struct summarizing *s = data;
  (void) text;
  ghc_log_damage (&s->summary->log, truncated, message);
}

static void
begin_in_order (void *data, const struct ghc_header *header, GString *text)
{
  struct summarizing *s = data;
  (void) text;
  s->header = (struct ghc_header){ .is_6_12 = header->is_6_12, .is_7_8_2 = header->is_7_8_2 };
  ghc_summary_ordered (s->summary, &(const struct ghc_item){ .type = GHC_ITEM_HEADER });
}

static void
put_down (void *data, const struct ghc_item *item, GString *text)
{
  (void) data;
  if (ghc_replay_can (item->kind))
    ghc_replay_put (text, item);
}

static bool
summarize_in_order (void *data, const struct ghc_item *item)
{
  const struct summarizing *s = data;
  ghc_summary_ordered (s->summary, item);
  return true;
}

static bool
take_in_order (void *data, const GString *text)
{
  const struct summarizing *s = data;
  return ghc_replay_take (text, &s->header, summarize_in_order, data);
}

static void
end_in_order (void *data, uint64_t events, GString *text)
{
  (void) data;
  (void) events;
  (void) text;
}

int
log_command_summarize_eventlog (struct log_command *c, const char *path,
                                struct ghc_summary *summary, unsigned wants)
{
  static const struct ghc_order_handler ordered = { .begin = begin_in_order,
                                                    .item = put_down,
                                                    .end = end_in_order,
                                                    .take = take_in_order,
                                                    .all_times = true };
  const struct ghc_handler handler
      = { .choice = begin_summary,
          .item = summarize_item,
          .damage = summarize_damage,
          .span = summarize_span,
          .ordered = (wants & GHC_WANTS_THREADS) != 0 ? &ordered : NULL };
  struct summarizing s = { .summary = summary, .wants = wants };
  ghc_summary_init (summary, &(struct ghc_times){ 0, UINT64_MAX }, wants);
  const int status = log_command_read_eventlog (c, path, &handler, &s);
  ghc_summary_finish (summary);
  if (status == CLI_OK && summary->log.events == 0 && selection_has_times (&c->selection)) {
    char *things = g_strdup_printf ("events in %" G_GUINT64_FORMAT ".%03u ms has a time that "
                                    "--time-range asks for",
                                    summary->log.latest / 1000000,
                                    (unsigned) (summary->log.latest / 1000 % 1000));
    log_command_tell_nothing (c, path, summary->log.all_events, things);
    g_free (things);
  }
  return status;
}

/* What watches a scan. */
struct scanning {
  struct reading *r;
  int status;
};

static void
watch_item (void *data, const struct mlpd_item *item)
{
  struct scanning *scanning = data;
  look_at (scanning->r, item, &scanning->status);
}

static void
watch_progress (void *data, uint64_t bytes)
{
  struct scanning *scanning = data;
  progress_update (&scanning->r->command->progress, bytes);
}

/* That no event is of these threads and times. */
static void
tell_no_event (const struct log_command *c, const char *path, const struct log *log)
{
  const char *asking = c->selection.threads == NULL           ? "--time-range asks"
                       : !selection_has_times (&c->selection) ? "--thread asks"
                                                              : "--thread and --time-range ask";
  char *things
      = g_strdup_printf ("threads in %" G_GUINT64_FORMAT ".%03u ms has an event that %s "
                         "for",
                         log->all_ns / 1000000, (unsigned) (log->all_ns / 1000 % 1000), asking);
  log_command_tell_nothing (c, path, log->all_threads, things);
  g_free (things);
}

int
log_command_summarize (struct log_command *c, const char *path, struct summary *summary,
                       struct object_filter *objects)
{
  struct reading r = { .command = c, .name = path };
  GError *error = NULL;
  struct log_input *input = open_input (&r, path);
  if (input == NULL)
    return CLI_INPUT;
  struct scanning scanning = { .r = &r, .status = CLI_OK };
  const struct log_scan_watch watch = { watch_item, watch_progress, &scanning };
  if (!object_search (summary, input, 0, &c->selection, objects, &watch, &error)) {
    report_error (&r, error);
    g_error_free (error);
    scanning.status = CLI_INPUT;
  }
  bool truncated;
  char *damage = close_input (&r, input, scanning.status, &truncated);
  if (damage != NULL)
    log_damage (&summary->log, truncated, damage);
  g_free (damage);
  if (scanning.status == CLI_OK && summary->log.has_header && summary->log.events == 0
      && (c->selection.threads != NULL || selection_has_times (&c->selection)))
    tell_no_event (c, path, &summary->log);
  return scanning.status;
}
