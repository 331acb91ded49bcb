/* cmd-top.c -- proflog top: what goes on in a program, as it does. */
#include "config.h"
#include "decoder/cli/cli.h"
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
  bool has_panel; /* one was chosen */
  bool quits;
  GString *text;
};

/* ---- showing ---- */

static void
show_page (struct top *t)
{
  /* Eventlogs have no methods. */
  if (!t->has_panel && t->figures->format == LIVE_GHC)
    t->page.panel = LIVE_THREADS;
  t->has_panel |= t->figures->format != LIVE_NOTHING;
  terminal_size (&t->page.columns, &t->page.rows);
  g_string_truncate (t->text, 0);
  top_page_print (&t->page, t->figures, t->text);
  terminal_show (t->text);
}

/* False if nobody reads it. */
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

static void
take_key (struct top *t, int key)
{
  struct top_page *p = &t->page;
  switch (key) {
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
    top_page_sort_next (p);
    break;
  case 'r':
    p->reverse = !p->reverse;
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
take_keys (struct top *t)
{
  for (int key; (key = terminal_key ()) != KEY_NONE;)
    take_key (t, key);
}

/* ---- the loop ---- */

/* An interval is over.  False if that was the last. */
static bool
take_interval (struct top *t, uint64_t now)
{
  if (t->page.paused)
    return true;
  make_figures (t, now);
  if (t->is_terminal)
    return true;
  return print (t) && !t->once;
}

/* What was there at first is in no interval. */
static void
take_base (struct top *t, uint64_t now)
{
  make_figures (t, now);
  t->has_base = true;
}

static enum live_news
run (struct top *t)
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
        good = take_interval (t, now);
      break;
    }
    if (news == LIVE_FAILED)
      break;
    if (!t->has_base && (news == LIVE_QUIET || is_over))
      take_base (t, now);
    else if (is_over)
      good = take_interval (t, now);
    if (t->is_terminal) {
      take_keys (t);
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

static int
top (struct log_command *command, const struct live_options *options, uint64_t interval_ns,
     bool once)
{
  int status;
  struct top t = { .command = command,
                   .interval_ns = interval_ns,
                   .once = once,
                   .model = live_model_new (),
                   .text = g_string_new (NULL),
                   .page = { .name = command->logs[0] } };
  const struct live_handler handler = {
    .mono = live_model_mono, .ghc = live_model_ghc, .buffers = live_model_buffers, .data = t.model
  };
  if (live_reading_open (&t.reading, command, options, &handler, &status)) {
    t.is_terminal = !once && command->format == EMITTER_TEXT && command->path == NULL
                    && strcmp (command->logs[0], "-") != 0 && terminal_open ();
    if (run (&t) == LIVE_FAILED)
      status = CLI_INPUT;
    terminal_close ();
  }
  live_reading_close (&t.reading);
  live_model_free (t.model);
  g_string_free (t.text, TRUE);
  return status;
}

int
cmd_top (int argc, char **argv)
{
  static struct live_options options;
  static char *interval;
  static gboolean once;
  static const GOptionEntry own[]
      = { { "interval", 'i', 0, G_OPTION_ARG_FILENAME, &interval,
            "How often figures are shown, and what rates are of (default 1s)", "TIME" },
          { "once", 0, 0, G_OPTION_ARG_NONE, &once, "Print one page, of one interval", NULL },
          LIVE_OPTION_ENTRIES (options),
          G_OPTION_ENTRY_NULL };
  static const struct log_command_sort sort = {
    .name = "top",
    .summary = "show what goes on in a program",
    .parameters = "SOURCE",
    .description
    = "SOURCE is as in 'proflog follow': a file that grows, a FIFO, -, unix:PATH,\n"
      "unix-listen:PATH, or the process id of a program under the module.\n"
      "On a terminal a page shows the rate of allocation, the heap, collections and their share "
      "of\n"
      "the time, contention, exceptions, and the hottest methods and types or what threads and\n"
      "capabilities do; h tells the keys.  Elsewhere there is a line each interval; with --format\n"
      "jsonl it is an object.\n\n"
      "Examples:\n"
      "  proflog top 4711\n"
      "  proflog top --once --interval 5s app.mlpd\n"
      "  mono --profile=proflog:calls,output=#1 app.exe | proflog top -",
    .own = own,
    .is_lines = true,
  };
  struct log_command command;
  int status;
  uint64_t interval_ns = LIVE_INTERVAL_NS;
  GError *error = NULL;
  if (!log_command_parse (&command, &sort, argc, argv, &status))
    return status;
  if (!live_reading_parse_interval (interval, &interval_ns, &error))
    return log_command_refuse (&command, error);
  if (command.format == EMITTER_CSV)
    return log_command_refuse (&command,
                               g_error_new_literal (G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                                                    "--format csv: there are text and jsonl"));
  if (!log_command_open (&command, &status))
    return status;
  return log_command_finish (&command, top (&command, &options, interval_ns, once));
}
