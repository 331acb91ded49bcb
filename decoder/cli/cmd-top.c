/* cmd-top.c -- proflog top: what goes on in a program, as it does. */
#include "config.h"

#include "decoder/cli/cli.h"
#include "decoder/cli/control-client.h"
#include "decoder/cli/live-reading.h"
#include "decoder/cli/terminal.h"
#include "decoder/cli/top-page.h"
#include "decoder/live/live-model.h"
#include "decoder/live/live-print.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

/* A command at work. */
struct top {
  struct log_command *command;
  struct live_reading reading;
  struct live_model *model;
  const struct live_figures *figures;
  struct top_page page;
  uint64_t interval_ns;
  uint64_t last; /* when the figures were made */
  bool once;
  bool is_terminal;
  bool has_base;  /* what was there at first is read */
  bool has_panel; /* one was chosen by a key */
  char *note;     /* what the last key did; NULL: nothing to report */
  bool quits;
  GString *text;
};

/* ---- showing ---- */

static void
show_page (struct top *t)
{
  if (!t->has_panel)
    t->page.panel = top_page_choose_panel (&t->page, t->figures);
  t->page.note = t->note;
  terminal_size (&t->page.columns, &t->page.rows);
  g_string_truncate (t->text, 0);
  top_page_print (&t->page, t->figures, t->text);
  terminal_show (t->text);
}

/* False if no one reads it. */
static bool
print (struct top *t)
{
  g_string_truncate (t->text, 0);
  if (t->command->format == EMITTER_JSON) {
    live_print_json (t->figures, t->text);
    g_string_append_c (t->text, '\n');
  } else if (t->once) {
    top_page_print_all (&t->page, t->figures, t->text);
  } else {
    top_page_line (t->figures, t->text);
  }
  return output_write (&t->command->output, t->text) && output_flush (&t->command->output);
}

static void
make_figures (struct top *t, uint64_t now)
{
  live_feed_flush (t->reading.feed);
  t->figures = live_model_figures (t->model, now - t->last);
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
  g_auto (GStrv) lines = g_strsplit (reply != NULL ? reply : "", "\n", 3);
  *is_done = g_strcmp0 (lines[0], "ok") == 0;
  if (*is_done)
    return g_strdup_printf ("%s is recorded now", class);
  return emitter_printable (error != NULL                          ? error->message
                            : lines[0] != NULL && lines[1] != NULL ? lines[1]
                                                                   : "no answer");
}

/* Of classes that fill the panel, the first that the program can record. */
static char *
enable_panel (const struct top *t)
{
  static const char *const classes[LIVE_TABLES][3] = { [LIVE_METHODS] = { "sample", "calls" },
                                                       [LIVE_TYPES] = { "alloc" },
                                                       [LIVE_THROWS] = { "exception" } };
  char *note = NULL;
  bool is_done = false;
  if (t->reading.pid == 0)
    return g_strdup ("e needs a process in place of a log");
  if (classes[t->page.panel][0] == NULL)
    return g_strdup ("threads need no class of events");
  for (const char *const *class = classes[t->page.panel]; *class != NULL && !is_done; class ++) {
    g_free (note);
    note = enable (t->reading.pid, *class, &is_done);
  }
  return note;
}

static void
handle_key (struct top *t, int key)
{
  struct top_page *p = &t->page;
  g_clear_pointer (&t->note, g_free);
  t->has_panel |= key == '\t' || (key >= '1' && key <= '4');
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
    p->panel = (enum live_table) (key - '1');
    p->first = 0;
    break;
  case 's':
    top_page_sort_next (p, t->figures);
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

/* An interval is over.  False if that was the last. */
static bool
store_interval (struct top *t, uint64_t now)
{
  if (t->page.paused)
    return true;
  make_figures (t, now);
  top_page_add_history (&t->page, t->figures);
  if (t->is_terminal)
    return true;
  return print (t) && !t->once;
}

/* What was there at first is in no interval. */
static void
store_base (struct top *t, uint64_t now)
{
  make_figures (t, now);
  t->has_base = true;
}

static enum live_news
show_all (struct top *t)
{
  enum live_news news = LIVE_QUIET;
  bool good = true;
  t->last = live_reading_now ();
  make_figures (t, t->last);
  while (good && !t->quits && !live_reading_stopped ()) {
    const bool ends = news == LIVE_END || news == LIVE_FAILED;
    live_source_watch (t->reading.source, t->is_terminal ? STDIN_FILENO : -1, STDOUT_FILENO);
    const uint64_t before = live_reading_now ();
    if (!ends)
      news = live_reading_step (&t->reading,
                                live_reading_patience (t->last + t->interval_ns, before));
    else
      g_usleep (LIVE_WAIT_MS * 1000); /* the page stays until a key is pressed */
    const uint64_t now = live_reading_now ();
    const bool is_over = now - t->last >= t->interval_ns;
    t->page.ended = news == LIVE_END;
    if (!t->is_terminal && (news == LIVE_END || news == LIVE_FAILED)) {
      if (news == LIVE_END)
        good = store_interval (t, now);
      break;
    }
    if (news == LIVE_FAILED)
      break;
    if (!t->has_base && (news == LIVE_QUIET || is_over))
      store_base (t, now);
    else if (is_over)
      good = store_interval (t, now);
    if (t->is_terminal) {
      handle_keys (t);
      if (news != LIVE_BYTES || is_over)
        show_page (t);
    } else if (live_source_output_is_closed (t->reading.source)) {
      break;
    }
  }
  /* Who closes a pipe has seen enough. */
  if (!good && errno == EPIPE && t->command->output.file == stdout
      && freopen ("/dev/null", "w", stdout) != NULL)
    t->command->output.failed = false;
  return news;
}

struct top_values {
  struct log_command log;
  struct live_options live;
  struct cli_number interval;
  bool once;
};

static int
top (struct top_values *v)
{
  struct log_command *const command = &v->log;
  int status;
  struct top t = { .command = command,
                   .interval_ns = v->interval.value,
                   .once = v->once,
                   .model = live_model_new (),
                   .text = g_string_new (NULL),
                   .page = { .name = command->logs[0] } };
  const struct live_handler handler = {
    .mono = live_model_mono, .ghc = live_model_ghc, .buffers = live_model_buffers, .data = t.model
  };
  if (live_reading_open (&t.reading, command, &v->live, &handler, &status)) {
    live_model_set_process (t.model, t.reading.pid);
    t.page.has_process = t.reading.pid != 0;
    t.is_terminal = !v->once && command->format == EMITTER_TEXT && command->path == NULL
                    && strcmp (command->logs[0], "-") != 0 && terminal_open ();
    if (show_all (&t) == LIVE_FAILED)
      status = CLI_INPUT;
    terminal_close ();
  }
  live_reading_close (&t.reading);
  live_model_free (t.model);
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
  .summary = "show the activity of a running program",
  .parameters = "SOURCE",
  .description
  = "SOURCE is as in 'proflog follow': a file that grows, a FIFO, -, unix:PATH, unix-listen:PATH, "
    "or "
    "the process id or the name of a program under the module.  Without SOURCE the command lists "
    "these "
    "programs.\n\n"
    "On a terminal a page shows the rate of allocation, the heap, collections and their share of "
    "the time, contention, exceptions, and the hottest methods and types, or the states of threads "
    "and capabilities; h lists the keys.  Elsewhere one line is printed each interval, which is an "
    "object with --format jsonl.",
  .examples = "  proflog top 4711\n"
              "  proflog top --once --interval 5s app.mlpd\n"
              "  mono --profile=proflog:calls,output=#1 app.exe | proflog top -",
  .options = { { own, 0 },
               { live_options, offsetof (struct top_values, live) },
               { format_option, 0 },
               { log_options, 0 } },
  .run = run,
};
