/* run-ghc.c -- finds in an ELF file what GHC's runtime in it can record. */
#include "config.h"

#include "decoder/cli/run-ghc.h"
#include "decoder/cli/message.h"
#include <elf.h>
#include <stdint.h>
#include <string.h>

/* GHC's notes on how it linked a program, and the way of its runtime's library. */
#define LINK_SECTION ".debug-ghc-link-info"
#define RTS_LIBRARY "libHSrts"

struct bytes {
  const char *at;
  size_t length;
};

static bool
has_text (struct bytes b, const char *text)
{
  return b.length != 0 && memmem (b.at, b.length, text, strlen (text)) != NULL;
}

/* The part of the file; empty if the file is shorter. */
static struct bytes
part_of (struct bytes file, uint64_t offset, uint64_t length)
{
  if (offset > file.length || length > file.length - offset)
    return (struct bytes){ 0 };
  return (struct bytes){ file.at + offset, length };
}

static bool
read_section_header (struct bytes file, const Elf64_Ehdr *header, unsigned number,
                     Elf64_Shdr *section)
{
  const struct bytes at
      = part_of (file, header->e_shoff, (uint64_t) header->e_shnum * sizeof *section);
  if (at.length == 0 || number >= header->e_shnum)
    return false;
  memcpy (section, at.at + number * sizeof *section, sizeof *section);
  return true;
}

/* The section of this name; empty if there is none. */
static struct bytes
find_section (struct bytes file, const Elf64_Ehdr *header, const char *name)
{
  Elf64_Shdr section;
  if (header->e_shentsize != sizeof section
      || !read_section_header (file, header, header->e_shstrndx, &section))
    return (struct bytes){ 0 };
  const struct bytes names = part_of (file, section.sh_offset, section.sh_size);
  for (unsigned i = 0; read_section_header (file, header, i, &section); i++) {
    const size_t length = strlen (name) + 1;
    if (section.sh_name < names.length && names.length - section.sh_name >= length
        && memcmp (names.at + section.sh_name, name, length) == 0)
      return section.sh_type == SHT_NOBITS ? (struct bytes){ 0 }
                                           : part_of (file, section.sh_offset, section.sh_size);
  }
  return (struct bytes){ 0 };
}

/* Whether the needed library of the runtime is one of a way that writes eventlogs: libHSrts_thr_l,
 * ... */
static bool
library_has_eventlog (struct bytes strings)
{
  const char *const library
      = memmem (strings.at, strings.length, RTS_LIBRARY, strlen (RTS_LIBRARY));
  const char *const end = strings.at + strings.length;
  const char *const way = library + strlen (RTS_LIBRARY);
  size_t length = 0;
  while (way + length < end && way[length] != '-' && way[length] != 0)
    length++;
  const struct bytes name = { way, length };
  return has_text (name, "_l") || has_text (name, "_debug") || has_text (name, "_p");
}

static enum run_ghc_options
options_of (struct bytes link)
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
    /* What follows is whether the program has a main function of its own, which decides by itself.
     */
    g_autofree char *own_main = g_strconcat (settings[i].name, ",True", NULL);
    if (has_text (link, settings[i].name))
      return has_text (link, own_main) ? RUN_GHC_UNKNOWN : settings[i].options;
  }
  return RUN_GHC_UNKNOWN;
}

/* False if it is no file of this kind. */
static bool
read_header (struct bytes file, Elf64_Ehdr *header)
{
  if (file.length < sizeof *header || memcmp (file.at, ELFMAG, SELFMAG) != 0
      || file.at[EI_CLASS] != ELFCLASS64)
    return false;
  memcpy (header, file.at, sizeof *header);
  return true;
}

static struct run_ghc
inspect (struct bytes file)
{
  struct run_ghc ghc = { .is_ghc = false };
  Elf64_Ehdr header;
  if (!read_header (file, &header))
    return ghc;
  const struct bytes strings = find_section (file, &header, ".dynstr");
  const bool is_dynamic = has_text (strings, RTS_LIBRARY);
  /* The usage of a runtime that is linked in, and its option that only some ways have. */
  ghc.is_ghc = is_dynamic || has_text (file, "[+RTS <rtsopts> | -RTS <args>]");
  if (!ghc.is_ghc)
    return ghc;
  ghc.has_eventlog
      = is_dynamic ? library_has_eventlog (strings) : has_text (file, "-l[flags]  Log events");
  ghc.is_live = has_text (strings, "proflog_ghc_open") || has_text (file, "PROFLOG_GHC");
  ghc.options = options_of (find_section (file, &header, LINK_SECTION));
  return ghc;
}

static struct bytes
bytes_of (GMappedFile *file)
{
  return (struct bytes){ g_mapped_file_get_contents (file), g_mapped_file_get_length (file) };
}

struct run_ghc
run_ghc_inspect (const char *executable)
{
  struct run_ghc ghc = { .is_ghc = false };
  GMappedFile *file = g_mapped_file_new (executable, FALSE, NULL);
  if (file != NULL) {
    ghc = inspect (bytes_of (file));
    g_mapped_file_unref (file);
  }
  return ghc;
}

bool
run_ghc_has_marks (const char *executable)
{
  GMappedFile *file = g_mapped_file_new (executable, FALSE, NULL);
  Elf64_Ehdr header;
  if (file == NULL)
    return false;
  const struct bytes all = bytes_of (file);
  const bool has_marks = read_header (all, &header)
                         && (find_section (all, &header, LINK_SECTION).length != 0
                             || has_text (find_section (all, &header, ".dynstr"), RTS_LIBRARY));
  g_mapped_file_unref (file);
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
                 "ghc -rtsopts "
                 "... -o %s",
                 program, settings[ghc->options],
                 refuses_all ? "all options of the runtime" : "the option -hT, which --heap needs",
                 program);
  if (ghc->is_live && heap)
    cli_message (
        "proflog run: --heap: '%s' has a main function of its own; start it with GHCRTS=-hT",
        program);
  return !ghc->has_eventlog || is_refused || (ghc->is_live && heap);
}
