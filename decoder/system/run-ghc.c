/* run-ghc.c -- finds the abilities of GHC's runtime in an ELF file. */
#include "config.h"

#include "decoder/system/run-ghc.h"
#include "decoder/command/message.h"
#include "decoder/core/elf-file.h"
#include <stdio.h>
#include <string.h>

/* GHC's notes on how it linked a program, and the way of its runtime's library. */
#define LINK_SECTION ".debug-ghc-link-info"
#define RTS_LIBRARY "libHSrts"

static bool
has_text (struct elf_bytes b, const char *text)
{
  return b.length != 0 && memmem (b.at, b.length, text, strlen (text)) != NULL;
}

/* From 9.4 on all ways of the runtime write eventlogs. */
static bool
is_since_9_4 (const char *library)
{
  const char *const ghc = strstr (library, "-ghc");
  unsigned major, minor;
  return ghc != NULL && sscanf (ghc, "-ghc%3u.%3u", &major, &minor) == 2
         && (major > 9 || (major == 9 && minor >= 4));
}

/* Whether the needed library of the runtime is one of a way that writes eventlogs:
 * libHSrts_thr_l-ghc9.0.2.so, libHSrts-1.0.2_thr-ghc9.6.6.so and others. */
static bool
library_has_eventlog (struct elf_bytes strings)
{
  const char *const library
      = memmem (strings.at, strings.length, RTS_LIBRARY, strlen (RTS_LIBRARY));
  const size_t most = (size_t) (strings.at + strings.length - library);
  g_autofree char *name = g_strndup (library, most);
  return is_since_9_4 (name) || strstr (name, "_l") != NULL || strstr (name, "_debug") != NULL
         || strstr (name, "_p") != NULL;
}

static enum run_ghc_options
options_of (struct elf_bytes link)
{
  static const struct {
    const char *name;
    enum run_ghc_options options;
  } settings[] = { { "RtsOptsNone", RUN_GHC_NONE },
                   { "RtsOptsIgnoreAll", RUN_GHC_IGNORE_ALL },
                   { "RtsOptsIgnore", RUN_GHC_IGNORE },
                   { "RtsOptsSafeOnly", RUN_GHC_SOME },
                   { "RtsOptsAll", RUN_GHC_ALL } };
  for (size_t i = 0; i < G_N_ELEMENTS (settings); i++) {
    /* The next word states whether the program has a main function of its own, which decides by
     * itself. */
    g_autofree char *own_main = g_strconcat (settings[i].name, ",True", NULL);
    if (has_text (link, settings[i].name))
      return has_text (link, own_main) ? RUN_GHC_UNKNOWN : settings[i].options;
  }
  return RUN_GHC_UNKNOWN;
}

static struct run_ghc
inspect (const struct elf_file *elf)
{
  struct run_ghc ghc = { .is_ghc = false };
  const struct elf_bytes strings = elf_file_section (elf, ".dynstr");
  const bool is_dynamic = has_text (strings, RTS_LIBRARY);
  /* The usage of a runtime that is linked in, and its option that only some ways have. */
  ghc.is_ghc = is_dynamic || has_text (elf->bytes, "[+RTS <rtsopts> | -RTS <args>]");
  if (!ghc.is_ghc)
    return ghc;
  ghc.has_eventlog = is_dynamic ? library_has_eventlog (strings)
                                : has_text (elf->bytes, "-l[flags]  Log events");
  ghc.is_live = has_text (strings, "proflog_ghc_open") || has_text (elf->bytes, "PROFLOG_GHC");
  ghc.options = options_of (elf_file_section (elf, LINK_SECTION));
  return ghc;
}

struct run_ghc
run_ghc_inspect (const char *executable)
{
  struct run_ghc ghc = { .is_ghc = false };
  struct elf_file elf;
  if (elf_file_open (&elf, executable)) {
    ghc = inspect (&elf);
    elf_file_close (&elf);
  }
  return ghc;
}

bool
run_ghc_has_marks (const char *executable)
{
  struct elf_file elf;
  if (!elf_file_open (&elf, executable))
    return false;
  const bool has_marks = elf_file_section (&elf, LINK_SECTION).length != 0
                         || has_text (elf_file_section (&elf, ".dynstr"), RTS_LIBRARY);
  elf_file_close (&elf);
  return has_marks;
}

bool
run_ghc_report_obstacles (const struct run_ghc *ghc, bool heap, const char *program)
{
  static const char *const settings[]
      = { [RUN_GHC_NONE] = "none", [RUN_GHC_IGNORE_ALL] = "ignoreAll", [RUN_GHC_SOME] = "some" };
  const bool refuses_all = ghc->options == RUN_GHC_NONE || ghc->options == RUN_GHC_IGNORE_ALL;
  const bool refuses_heap = heap && ghc->options == RUN_GHC_SOME;
  const bool is_unknown = heap && ghc->options == RUN_GHC_UNKNOWN;
  const bool is_refused = !ghc->is_live && (refuses_all || refuses_heap || is_unknown);
  if (!ghc->has_eventlog)
    cli_message (
        "proflog run: '%s' was linked without -eventlog, so it can write no log; link it with: "
        "ghc -eventlog ... -o %s",
        program, program);
  if (is_refused && is_unknown)
    cli_message (
        "proflog run: '%s' does not state whether it accepts the option -hT, which --heap needs; "
        "link it with: ghc -rtsopts ... -o %s, and do not strip it",
        program, program);
  else if (is_refused)
    cli_message ("proflog run: '%s' was linked with -rtsopts=%s, which refuses %s; link it with: "
                 "ghc -rtsopts ... -o %s",
                 program, settings[ghc->options],
                 refuses_all ? "all options of the runtime" : "the option -hT, which --heap needs",
                 program);
  if (ghc->is_live && heap)
    cli_message (
        "proflog run: --heap: '%s' has a main function of its own; start it with GHCRTS=-hT",
        program);
  return !ghc->has_eventlog || is_refused || (ghc->is_live && heap);
}
