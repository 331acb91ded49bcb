/* test-ghc-options.c -- the options in the environment variable PROFLOG_GHC. */
#include "config.h"

#include "ghc/ghc-options.h"
#include "tests/unit/test.h"

#include <glib.h>
#include <proflog/eventlog-writer.h>
#include <string.h>

static const unsigned all = (1u << EVENTLOG_CLASSES) - 1;

static unsigned
without (enum eventlog_class one, enum eventlog_class other)
{
  return all & ~(1u << one | 1u << other);
}

TEST (test_options)
{
  const struct {
    const char *text, *output; /* NULL: that of the program */
    size_t memory;
    unsigned flush_ms, classes;
    bool paused, nocontrol;
  } cases[] = {
    { "", NULL, 32 << 20, 500, all, false, false },
    { ",,", NULL, 32 << 20, 500, all, false, false },
    { "output=a b=c", "a b=c", 32 << 20, 500, all, false, false },
    { "output=a,output=b", "b", 32 << 20, 500, all, false, false },
    { "memory=4m", NULL, 4 << 20, 500, all, false, false },
    { "memory=4194305", NULL, (4 << 20) + 1, 500, all, false, false },
    { "memory=1g,flush=0", NULL, 1 << 30, 0, all, false, false },
    { "flush=50ms", NULL, 32 << 20, 50, all, false, false },
    { "flush=2s,flush=3600000", NULL, 32 << 20, 3600000, all, false, false },
    { "off=user", NULL, 32 << 20, 500, without (EVENTLOG_CLASS_USER, EVENTLOG_CLASS_USER), false,
      false },
    { "off=user+gc,paused", NULL, 32 << 20, 500, without (EVENTLOG_CLASS_USER, EVENTLOG_CLASS_GC),
      true, false },
    { "nocontrol", NULL, 32 << 20, 500, all, false, true },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    struct ghc_options o;
    char why[256] = "";
    assert_true (ghc_options_parse (&o, cases[i].text, why, sizeof why));
    assert_string_equal (why, "");
    if (cases[i].output != NULL)
      assert_string_equal (o.output, cases[i].output);
    else
      assert_true (g_str_has_suffix (o.output, "test-ghc-options.eventlog"));
    assert_int_equal (o.memory, cases[i].memory);
    assert_int_equal (o.flush_ms, cases[i].flush_ms);
    assert_int_equal (o.classes, cases[i].classes);
    assert_int_equal (o.paused, cases[i].paused);
    assert_int_equal (o.nocontrol, cases[i].nocontrol);
  }
}

/* The message names the option, and not those before it. */
TEST (test_refusals)
{
  char *long_path = g_strnfill (PATH_MAX, 'x'), *long_names = g_strnfill (256, 'u');
  char *path_option = g_strconcat ("output=", long_path, NULL);
  char *names_option = g_strconcat ("off=", long_names, NULL);
  const char *const options[] = {
    "output",        "output=",    "outputs=x",           path_option, "memory=",    "memory=4x",
    "memory=3m",     "memory=-4m", "memory=99999999999g", "flush=",    "flush=x",    "flush=50m s",
    "flush=3600001", "flush=2h",   "flush=4294967296",    "off=",      "off=no",     "off=user+",
    names_option,    "pause",      "paused=yes",          "controls",  "nocontrol ",
  };
  for (size_t i = 0; i < G_N_ELEMENTS (options); i++) {
    struct ghc_options o;
    char why[PATH_MAX + 256];
    char *text = g_strconcat ("memory=8m,", options[i], ",flush=1", NULL);
    char *begin = g_strdup_printf ("option '%s' makes no sense", options[i]);
    if (ghc_options_parse (&o, text, why, sizeof why))
      fail_msg ("'%s' is accepted", options[i]);
    assert_true (g_str_has_prefix (why, begin));
    g_free (begin);
    g_free (text);
  }
  g_free (names_option);
  g_free (path_option);
  g_free (long_names);
  g_free (long_path);
}
