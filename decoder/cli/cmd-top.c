/* cmd-top.c -- proflog top: live figures of programs. */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/command/cli.h"
#include "decoder/live/live-outputs.h"
#include "decoder/live/top.h"
#include "decoder/live/live-reading.h"
#include "decoder/command/terminal.h"
#include "decoder/live/live-model.h"
#include "decoder/system/processes.h"
#include "decoder/system/program-control.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

/* A command at work. */
struct top {
  struct log_command *command;
  struct live_readings readings;
  struct top_source *sources; /* of each reading */
  struct live_named *shown;   /* likewise */
  struct top_page page;
  uint64_t interval_ns;
  uint64_t last; /* when the figures were made */
  bool once;
  bool is_terminal;
  bool has_base;  /* the earlier part of the log is read */
  bool has_panel; /* one was chosen by a key */
  char *note;     /* the effect of the last key; NULL: nothing to report */
  bool quits;
  GString *text;
};

struct top_source {
  struct live_model *model;
  char *label;
  bool is_printed; /* its last line */
};

static bool
are_several (const struct top *t)
{
  return t->readings.count > 1;
}

/* ---- names ---- */

/* The short name of a source (transfer full). */
static char *
make_label (const struct live_reading *r)
{
  const char *name = r->name;
  if (r->pid != 0 && live_process_of (name) != 0)
    return process_name (r->pid);
  if (g_str_has_prefix (name, LIVE_CONNECT))
    name += strlen (LIVE_CONNECT);
  else if (g_str_has_prefix (name, LIVE_LISTEN))
    name += strlen (LIVE_LISTEN);
  return g_path_get_basename (name);
}

static bool
is_unique (const struct top *t, guint i)
{
  for (guint k = 0; k < t->readings.count; k++)
    if (k != i && strcmp (t->sources[k].label, t->sources[i].label) == 0)
      return false;
  return true;
}

/* One source has the name that was given, several have short ones if these are enough. */
static void
name_sources (struct top *t)
{
  for (guint i = 0; i < t->readings.count; i++)
    t->sources[i].label = make_label (&t->readings.all[i]);
  for (guint i = 0; i < t->readings.count; i++) {
    const char *const label = t->sources[i].label;
    t->shown[i].name
        = are_several (t) && *label != 0 && is_unique (t, i) ? label : t->readings.all[i].name;
  }
}

/* ---- showing ---- */

static void
show_page (struct top *t)
{
  if (!t->has_panel)
    t->page.panel = top_page_choose_panel (&t->page);
  t->page.note = t->note;
  terminal_size (&t->page.columns, &t->page.rows);
  g_string_truncate (t->text, 0);
  top_page_print (&t->page, t->text);
  terminal_show (t->text);
}

/* Appends the figures of one source, as a line. */
static void
append_source (struct top *t, guint i)
{
  const struct live_reading *const r = &t->readings.all[i];
  const struct live_figures *const f = t->shown[i].figures;
  if (t->command->format == EMITTER_JSON && are_several (t))
    live_print_json_of (&t->shown[i], r->name, t->text);
  else if (t->command->format == EMITTER_JSON)
    live_print_json (f, t->text);
  else if (!are_several (t))
    top_page_line (f, t->text);
  else {
    emitter_append_json_string (t->text, r->name, strlen (r->name));
    top_page_line (f, t->text);
  }
  if (are_several (t) && r->is_over && t->command->format != EMITTER_JSON)
    g_string_append (t->text, "  ended");
  g_string_append_c (t->text, '\n');
}

/* False if the output has no reader. */
static bool
print (struct top *t)
{
  g_string_truncate (t->text, 0);
  if (t->once && t->command->format == EMITTER_TEXT) {
    top_page_print_all (&t->page, t->text);
  } else {
    for (guint i = 0; i < t->readings.count; i++) {
      struct top_source *const s = &t->sources[i];
      if (!s->is_printed && !t->readings.all[i].failed)
        append_source (t, i);
      s->is_printed = t->readings.all[i].is_over;
    }
  }
  return output_write (&t->command->output, t->text) && output_flush (&t->command->output);
}

static void
make_figures (struct top *t, uint64_t now)
{
  for (guint i = 0; i < t->readings.count; i++) {
    const struct live_reading *const r = &t->readings.all[i];
    if (!r->is_over)
      live_feed_flush (r->feed);
    t->shown[i].figures = live_model_figures (t->sources[i].model, now - t->last);
    t->shown[i].is_over = r->is_over;
    t->shown[i].failed = r->failed;
  }
  t->last = now;
}

/* ---- keys ---- */

/* The program's answer to a class that it shall record (transfer full). */
static char *
enable (long pid, const char *class, bool *is_done)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *request = g_strdup_printf ("enable %s\n", class);
  g_autofree char *reply = control_client_request (pid, request, &error);
  if (reply == NULL)
    return emitter_printable (error->message);
  g_auto (GStrv) lines = g_strsplit (reply, "\n", 3);
  *is_done = strcmp (lines[0], "ok") == 0;
  if (*is_done)
    return g_strdup_printf ("%s is recorded now", class);
  return emitter_printable (lines[1] != NULL ? lines[1] : "no answer");
}

/* Of classes that fill the panel, the first that the program can record. */
static char *
enable_panel_of (const struct top *t, long pid)
{
  static const char *const classes[LIVE_TABLES][3] = { [LIVE_METHODS] = { "sample", "calls" },
                                                       [LIVE_TYPES] = { "alloc" },
                                                       [LIVE_THROWS] = { "exception" },
                                                       [LIVE_LOCKS] = { "monitor" } };
  char *note = NULL;
  bool is_done = false;
  if (classes[t->page.panel][0] == NULL)
    return g_strdup ("threads need no class of events");
  for (const char *const *class = classes[t->page.panel]; *class != NULL && !is_done; class ++) {
    g_free (note);
    note = enable (pid, *class, &is_done);
  }
  return note;
}

/* The same of all programs that go on. */
static char *
enable_panel (const struct top *t)
{
  GString *notes = g_string_new (NULL);
  for (guint i = 0; i < t->readings.count; i++) {
    const struct live_reading *const r = &t->readings.all[i];
    if (r->pid == 0 || r->is_over)
      continue;
    g_autofree char *note = enable_panel_of (t, r->pid);
    g_string_append (notes, notes->len != 0 ? "; " : "");
    if (are_several (t)) {
      g_autofree char *name = emitter_printable (t->shown[i].name);
      g_string_append_printf (notes, "%s: ", name);
    }
    g_string_append (notes, note);
  }
  if (notes->len == 0)
    g_string_append (notes, "e needs a process in place of a log");
  return g_string_free (notes, FALSE);
}

static void
handle_key (struct top *t, int key)
{
  struct top_page *p = &t->page;
  g_clear_pointer (&t->note, g_free);
  t->has_panel |= key == '\t' || (key >= '1' && key <= '7');
  switch (key) {
  case 'e':
    t->note = enable_panel (t);
    t->has_panel = true;
    break;
  case 'q':
    t->quits = true;
    break;
  case ' ':
  case 'p':
    p->paused = !p->paused;
    break;
  case 'h':
  case '?':
    p->help = !p->help;
    break;
  case '\t':
    p->panel = (p->panel + 1) % LIVE_TABLES;
    p->first = 0;
    break;
  case '1':
  case '2':
  case '3':
  case '4':
  case '5':
  case '6':
  case '7':
    p->panel = (enum live_table) (key - '1');
    p->first = 0;
    break;
  case 's':
    top_page_sort_next (p);
    break;
  case 'r':
    p->reverse = !p->reverse;
    break;
  case 'w':
    p->waiting = !p->waiting;
    break;
  case KEY_UP:
    p->first -= p->first != 0;
    break;
  case KEY_DOWN:
    p->first++;
    break;
  case '+':
    t->interval_ns = MIN (2 * t->interval_ns, LIVE_INTERVAL_MAX_NS);
    break;
  case '-':
    t->interval_ns = MAX (t->interval_ns / 2, LIVE_INTERVAL_MIN_NS);
    break;
  default:
    break;
  }
}

static void
handle_keys (struct top *t)
{
  for (int key; (key = terminal_key ()) != KEY_NONE;)
    handle_key (t, key);
}

/* ---- the loop ---- */

/* The page is the last: bytes that wait for more are read as they are.  It came before the interval
 * unless anything came in that, so it is not of its rates. */
static void
read_rest (struct top *t, uint64_t now)
{
  for (guint i = 0; i < t->readings.count; i++) {
    struct live_reading *const r = &t->readings.all[i];
    if (r->is_over)
      continue;
    live_feed_flush (r->feed);
    const bool is_of_before = r->last_came <= t->last && live_feed_is_waiting (r->feed);
    live_readings_read_rest (&t->readings, i);
    if (is_of_before)
      live_model_figures (t->sources[i].model, now - t->last);
  }
}

/* An interval is over.  False if that was the last. */
static bool
store_interval (struct top *t, uint64_t now)
{
  if (t->page.paused)
    return true;
  if (t->once)
    read_rest (t, now);
  make_figures (t, now);
  top_page_add_history (&t->page);
  if (t->is_terminal)
    return true;
  return print (t) && !t->once;
}

/* The earlier part of the log is in no interval. */
static void
store_base (struct top *t, uint64_t now)
{
  make_figures (t, now);
  t->has_base = true;
}

/* Whether no source was read to its end. */
static bool
have_all_failed (const struct top *t)
{
  for (guint i = 0; i < t->readings.count; i++)
    if (!t->readings.all[i].failed)
      return false;
  return true;
}

static void
show_all (struct top *t)
{
  struct live_readings *const rs = &t->readings;
  enum live_news news = LIVE_QUIET;
  bool good = true;
  t->last = live_reading_now ();
  make_figures (t, t->last);
  while (good && !t->quits && !live_readings_stopped ()) {
    const uint64_t before = live_reading_now ();
    if (news != LIVE_END)
      news = live_readings_step (rs, live_readings_patience (t->last + t->interval_ns, before),
                                 t->is_terminal ? STDIN_FILENO : -1, STDOUT_FILENO);
    else
      g_usleep (LIVE_WAIT_MS * 1000); /* the page stays until a key is pressed */
    const uint64_t now = live_reading_now ();
    const bool is_over = now - t->last >= t->interval_ns;
    if (!t->is_terminal)
      live_readings_warn (rs);
    t->page.ended = news == LIVE_END;
    if (news == LIVE_END && have_all_failed (t))
      break;
    if (news == LIVE_END && !t->is_terminal) {
      good = store_interval (t, now);
      break;
    }
    if (!t->has_base && (news == LIVE_QUIET || is_over))
      store_base (t, now);
    else if (is_over)
      good = store_interval (t, now);
    if (t->is_terminal) {
      handle_keys (t);
      if (news != LIVE_BYTES || is_over)
        show_page (t);
    } else if (rs->output_is_closed) {
      break;
    }
  }
  if (!good && errno == EPIPE)
    output_discard (&t->command->output);
}

struct top_values {
  struct log_command log;
  struct live_options live;
  struct cli_number interval;
  bool once;
};

/* Whether the page is shown on a terminal. */
static bool
open_terminal (const struct top *t)
{
  const struct log_command *const c = t->command;
  for (char **log = c->logs; *log != NULL; log++)
    if (strcmp (*log, "-") == 0)
      return false;
  return !t->once && c->format == EMITTER_TEXT && c->path == NULL && terminal_open ();
}

static void
prepare_sources (struct top *t)
{
  for (guint i = 0; i < t->readings.count; i++) {
    const long pid = t->readings.all[i].pid;
    live_model_set_process (t->sources[i].model, pid);
    t->page.has_process |= pid != 0;
  }
  name_sources (t);
}

static int
top (struct top_values *v)
{
  struct log_command *const command = &v->log;
  const guint n = g_strv_length (command->logs);
  struct live_handler *const handlers = g_new0 (struct live_handler, n);
  struct live_named *const shown = g_new0 (struct live_named, n);
  int status;
  struct top t = { .command = command,
                   .interval_ns = v->interval.value,
                   .once = v->once,
                   .sources = g_new0 (struct top_source, n),
                   .shown = shown,
                   .text = g_string_new (NULL),
                   .page = { .sources = shown, .count = n } };
  for (guint i = 0; i < n; i++) {
    t.sources[i].model = live_model_new ();
    handlers[i] = (struct live_handler){ .mono = live_model_mono,
                                         .ghc = live_model_ghc,
                                         .buffers = live_model_buffers,
                                         .data = t.sources[i].model };
  }
  live_readings_init (&t.readings, command);
  t.readings.names_damage = true;
  if (live_readings_open (&t.readings, &v->live, handlers, &status)) {
    prepare_sources (&t);
    t.is_terminal = open_terminal (&t);
    show_all (&t);
    status = live_readings_status (&t.readings);
    terminal_close ();
  }
  live_readings_close (&t.readings);
  for (guint i = 0; i < n; i++) {
    live_model_free (t.sources[i].model);
    g_free (t.sources[i].label);
  }
  g_free (t.sources);
  g_free (shown);
  g_free (handlers);
  g_string_free (t.text, TRUE);
  g_free (t.note);
  return status;
}

static int
run (const struct cli_command *spec, int argc, char **argv)
{
  struct top_values v = { .live = LIVE_DEFAULTS, .interval = { .value = LIVE_INTERVAL_NS } };
  int status;
  if (!log_command_parse (&v.log, spec, argc, argv, &status) || !log_command_open (&v.log, &status))
    return status;
  return log_command_finish (&v.log, top (&v));
}

static const struct cli_choice formats[] = { { "text", EMITTER_TEXT, false },
                                             { "jsonl", EMITTER_JSON, false },
                                             { "json", EMITTER_JSON, true },
                                             { NULL, 0, false } };

static const struct cli_option own[] = {
  LIVE_INTERVAL_OPTION (struct top_values, interval),
  { .name = "once",
    .kind = CLI_FLAG,
    .offset = offsetof (struct top_values, once),
    .help = "Print one page, of one interval" },
  { .name = NULL },
};

static const struct cli_option format_option[] = {
  { .name = "format",
    .letter = 'f',
    .kind = CLI_CHOICE,
    .argument = "FORMAT",
    .offset = offsetof (struct top_values, log.format),
    .choices = formats,
    .help = "Output format: text (default) or jsonl" },
  { .name = NULL },
};

const struct cli_command command_top = {
  .name = "top",
  .group = CLI_LIVE,
  .summary = "show the activity of running programs",
  .parameters = "SOURCE...",
  .description
  = "SOURCE is as in 'proflog follow': a file that grows, a FIFO, -, unix:PATH, unix-listen:PATH, "
    "or the process id or the name of a program that is being recorded.  Without SOURCE the "
    "command "
    "lists these programs.\n\n"
    "On a terminal a page shows the rate of allocation, the heap, collections and their share of "
    "the time, contention, exceptions, and the hottest methods and types, or the states of threads "
    "and capabilities; h lists the keys.  Elsewhere one line is printed each interval, which is an "
    "object with --format jsonl.\n\n"
    "Of several sources, of Mono and GHC, the page has a line each, and tables name the source of "
    "each row.  Elsewhere each has a line that begins with its name, or an object with log, pid "
    "and ended.  When one source ends, which is shown, the others go on.",
  .examples = CLI_EXAMPLES (
      { "Show the activity of a program", "proflog top 4711" },
      { "Print one page, of five seconds", "proflog top --once --interval 5s app.mlpd" },
      { "Show two programs at once", "proflog top client.exe unix:/tmp/server.socket" },
      { "Show a program without writing a log to the disk",
        "mono --profile=proflog:calls,output=#1 app.exe | proflog top -" }),
  .options = { { own, 0 },
               { live_options, offsetof (struct top_values, live) },
               { format_option, 0 },
               { log_options, 0 } },
  .run = run,
};
