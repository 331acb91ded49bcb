/* cmd-doctor.c -- proflog doctor: whether programs can be recorded here, or one of them. */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/command/cli.h"
#include "decoder/command/command-line.h"
#include "decoder/run/doctor.h"
#include "decoder/run/doctor-target.h"
#include "decoder/command/message.h"
#include "decoder/output/emitter.h"
#include "decoder/output/wrap.h"
#include <stdio.h>
#include <string.h>

struct doctor_values {
  unsigned format; /* enum emitter_format */
};

static const char *const state_names[]
    = { [DOCTOR_OK] = "ok", [DOCTOR_MISSING] = "missing", [DOCTOR_NONE] = "none" };

/* A line for each check, of at most 80 columns, and one that mends it, as long as that is. */
static void
append_text (GString *text, const GPtrArray *checks)
{
  enum { COLUMNS = 80, GAP = 2 };
  const size_t states = strlen (state_names[DOCTOR_MISSING]);
  size_t names = 0;
  for (guint i = 0; i < checks->len; i++) {
    const struct doctor_check *check = checks->pdata[i];
    names = MAX (names, strlen (check->name));
  }
  const size_t at = states + GAP + names + GAP;
  for (guint i = 0; i < checks->len; i++) {
    const struct doctor_check *check = checks->pdata[i];
    g_autofree char *safe = emitter_printable (check->finding);
    g_autofree char *finding = text_shorten (safe, COLUMNS - at);
    g_string_append_printf (text, "%-*s  %-*s  %s\n", (int) states, state_names[check->state],
                            (int) names, check->name, finding);
    if (check->mend == NULL)
      continue;
    g_autofree char *mend = emitter_printable (check->mend);
    g_string_append_printf (text, "%*s  %s\n", (int) states, "", mend);
  }
}

/* The same for programs, or in a document. */
static void
append_table (GString *text, enum emitter_format format, const GPtrArray *checks)
{
  static const struct emitter_column columns[] = { { "state", "State", EMIT_TEXT },
                                                   { "check", "Check", EMIT_TEXT },
                                                   { "finding", "Finding", EMIT_TEXT },
                                                   { "mend", "Mend", EMIT_TEXT } };
  struct emitter *emitter = emitter_new (format, text);
  emitter_begin (emitter, "proflog.doctor/1");
  emitter_number (emitter, "missing", NULL, doctor_count (checks, DOCTOR_MISSING));
  emitter_open_table (emitter, "checks", NULL, columns, G_N_ELEMENTS (columns));
  for (guint i = 0; i < checks->len; i++) {
    const struct doctor_check *check = checks->pdata[i];
    const union emitter_value values[] = { { .text = state_names[check->state] },
                                           { .text = check->name },
                                           { .text = check->finding },
                                           { .text = check->mend } };
    emitter_open_row (emitter, values);
    emitter_close_row (emitter);
  }
  emitter_close_table (emitter, 0);
  emitter_end (emitter);
  emitter_free (emitter);
}

static int
run (const struct cli_command *spec, int argc, char **argv)
{
  struct doctor_values v = { .format = EMITTER_TEXT };
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  int status;
  if (!cli_parse_or_report (spec, argc, argv, &v, words, &status))
    return status;
  if (words->len > 1) {
    cli_message ("proflog doctor: '%s': one process or file at a time; see 'proflog doctor --help'",
                 (char *) words->pdata[1]);
    return CLI_USAGE;
  }
  g_autoptr (GPtrArray) checks = doctor_new ();
  if (words->len == 1) {
    doctor_target_check (checks, words->pdata[0]);
  } else {
    doctor_check_system (checks);
    doctor_check_programs (checks);
  }
  g_autoptr (GString) text = g_string_new (NULL);
  if (v.format == EMITTER_TEXT)
    append_text (text, checks);
  else
    append_table (text, v.format, checks);
  fputs (text->str, stdout);
  return doctor_count (checks, DOCTOR_MISSING) > 0 ? CLI_TRUE : CLI_OK;
}

static const struct cli_choice formats[] = { { "text", EMITTER_TEXT, false },
                                             { "json", EMITTER_JSON, false },
                                             { "csv", EMITTER_CSV, false },
                                             { "markdown", EMITTER_MARKDOWN, false },
                                             { NULL, 0, false } };

static const struct cli_option own[] = {
  { .name = "format",
    .letter = 'f',
    .kind = CLI_CHOICE,
    .argument = "FORMAT",
    .offset = offsetof (struct doctor_values, format),
    .choices = formats,
    .help = "Format of the checks: text (default), json, csv or markdown" },
  { .name = NULL },
};

const struct cli_command command_doctor = {
  .name = "doctor",
  .group = CLI_RECORD,
  .summary = "check whether programs can be recorded here, or a program or runtime",
  .parameters = "[PID|FILE]",
  .description
  = "Each check is a line: ok, missing, or none (GHC, and Mono where there is GHC).  A check that "
    "is missing has a line below it with the remedy, in general a command.  The checks are:\n"
    "  clock              the kernel's clock is fine and quick to read\n"
    "  ptrace             a process may trace another one, as 'proflog attach' does: Yama, "
    "capabilities, seccomp\n"
    "  control directory  sockets for 'proflog ctl' can be there: XDG_RUNTIME_DIR or "
    "/tmp/proflog-UID, of the user alone\n"
    "  Mono, GHC          the versions in PATH\n"
    "  module             the module's file, which 'proflog run' uses\n"
    "  module for Mono    Mono finds it by itself, for --profile=proflog: beside Mono, in "
    "LD_LIBRARY_PATH, or in the directories of ldconfig\n"
    "  module loads       Mono loads it and prints its help\n\n"
    "With PID or FILE, a process or a program or library that may contain Mono, its checks are:\n"
    "  runtime            it has Mono's profiler interface; which collector it has\n"
    "  functions          it exports all functions that the module needs\n"
    "  heap snapshots     the collector can list its objects\n"
    "  attach             of a process: the module can be loaded into it\n\n"
    "The exit status is 1 if something is missing.",
  .examples = CLI_EXAMPLES (
      { "Check this machine", "proflog doctor" },
      { "Check the runtime of a game or server", "proflog doctor ./libmonobdwgc-2.0.so" },
      { "Print only the remedies",
        "proflog doctor --format json | jq -r '.checks[] | select(.mend) | .mend'" }),
  .options = { { own, 0 } },
  .run = run,
};
