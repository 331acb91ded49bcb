/* make-eventlog.c -- writes tests/logs/small.eventlog to stdout: as GHC would of a program on two
 * capabilities, made small.  The header declares every event of the list. */
#include "config.h"

#include "decoder/ghc/ghc-describe.h"
#include "tests/unit/ghc-items.h"

#include <stdio.h>
#include <string.h>

/* Events of a block are collected, as its marker states their bytes. */
static GByteArray *events;

static void
put (unsigned tag, guint64 time)
{
  ghc_put_event (events, tag, time);
}

static void
put_number (guint64 number, unsigned bytes)
{
  ghc_put (events, number, bytes);
}

static void
put_bytes (const char *text, gsize length)
{
  g_byte_array_append (events, (const guint8 *) text, (guint) length);
}

/* An event with a number of 4 bytes and a text. */
static void
put_text (unsigned tag, guint64 time, unsigned number, const char *text, gsize length)
{
  put (tag, time);
  put_number (4 + length, 2);
  put_number (number, 4);
  put_bytes (text, length);
}

#define TEXT(text) text, sizeof text - 1

static void
stop (guint64 time, unsigned thread, unsigned status)
{
  put (2, time);
  put_number (thread, 4);
  put_number (status, 2);
  put_number (0, 4);
}

static void
run (guint64 time, unsigned thread)
{
  put (1, time);
  put_number (thread, 4);
}

static void
end_block (GByteArray *log, guint64 time, guint64 end, unsigned cap)
{
  ghc_put_block (log, 24 + events->len, time, end, cap);
  g_byte_array_append (log, events->data, events->len);
  g_byte_array_set_size (events, 0);
}

static void
put_header (GByteArray *log)
{
  ghc_put_header_begin (log);
  for (unsigned kind = 0; kind < GHC_KINDS; kind++) {
    const struct ghc_description *description = ghc_describe (kind);
    ghc_put_type (log, description->tag, description->size, description->doc);
  }
  ghc_put_type (log, 300, GHC_VARIABLE, "something new");
  ghc_put_header_end (log);
}

/* Capability 0: the main thread makes another one and collects. */
static void
put_cap_0 (GByteArray *log)
{
  put (0, 1000000);
  put_number (1, 4);
  put_text (44, 1100000, 1, TEXT ("main thread"));
  run (1200000, 1);
  put (0, 1300000);
  put_number (2, 4);
  stop (2000000, 1, 1);
  put (9, 2000100);
  put (54, 2000900);
  put (53, 2000950);
  put_number (0, 4);
  put_number (1, 2);
  put_number (4096, 8);
  put_number (100, 8);
  put_number (0, 8);
  put_number (1, 4);
  put_number (0, 8);
  put_number (4096, 8);
  put_number (0, 8);
  put (10, 2000800); /* a time before that of the event before */
  put (49, 2001000);
  put_number (0, 4);
  put_number (65536, 8);
  run (2100000, 1);
  stop (3000000, 1, 5);
  end_block (log, 900000, 3100000, 0);
}

/* Capability 1: the other thread. */
static void
put_cap_1 (GByteArray *log)
{
  run (1400000, 2);
  put (19, 1500000);
  put_number (5, 2);
  put_bytes (TEXT ("hello"));
  stop (1600000, 2, 7);
  put (300, 1700000);
  put_number (3, 2);
  put_bytes (TEXT ("abc"));
  end_block (log, 900000, 3100000, 1);
}

static void
put_global (GByteArray *log)
{
  put (25, 500000);
  put_number (0, 4);
  put_number (2, 2);
  put (43, 600000);
  put_number (1, 4);
  put_number (1600000000, 8);
  put_number (5, 4);
  put_text (29, 700000, 0, TEXT ("GHC-9.0.2 rts_thr_l"));
  put_text (30, 800000, 0, TEXT ("./a.out\0+RTS\0-l\0"));
  end_block (log, 400000, 3200000, 0xffff);
}

int
main (void)
{
  GByteArray *log = g_byte_array_new ();
  events = g_byte_array_new ();
  put_header (log);
  put_cap_0 (log);
  put_cap_1 (log);
  put_global (log);
  ghc_put (log, GHC_DATA_END, 2);
  const gboolean good = fwrite (log->data, 1, log->len, stdout) == log->len;
  g_byte_array_unref (log);
  g_byte_array_unref (events);
  return !good || fflush (stdout) != 0;
}
