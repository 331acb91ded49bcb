/* post-all.c -- posts every event of the list once into each of two logs in one file, for the tools
 * for eventlogs to judge.
 *
 *   post-all FILE [full]
 *
 * `full`: with the fields that need not be there.
 * Prints how many events each has, without markers of blocks. */
#include "config.h"

#include <proflog/eventlog-writer.h>

#include <stdio.h>

static unsigned posted;

/* Optional fields: ghc-events 0.17 does not skip unknown ones. */
static uint32_t present;

#define SOME_U8 GHC_MESSAGE_TAG_READY /* the only U8 that means something to all tools */
#define SOME_U16 1
#define SOME_U32 3
#define SOME_U64 1000
#define SOME_STR                                                                                   \
  {                                                                                                \
    "text", 4                                                                                      \
  }
#define SOME_STR_BUT_4                                                                             \
  {                                                                                                \
    "text", 4                                                                                      \
  }
#define SOME_STRZ                                                                                  \
  {                                                                                                \
    "15", 2                                                                                        \
  } /* one of them is a number */
#define SOME_STRZS                                                                                 \
  {                                                                                                \
    "one\0two", 8                                                                                  \
  }
#define SOME_STACK                                                                                 \
  {                                                                                                \
    { 1, 2 }, 2                                                                                    \
  }
#define SOME_BYTES                                                                                 \
  {                                                                                                \
    "\1\2\3", 3                                                                                    \
  }

static bool
is_done (enum eventlog_result result, const char *what)
{
  if (result != EVENTLOG_OK)
    fprintf (stderr, "%s: %s\n", what, eventlog_result_text (result));
  return result == EVENTLOG_OK;
}

static bool
post_all (struct eventlog_writer *writer)
{
  bool good = true;
  posted = 0;
#define EVENT(ID, id, tag, size, since, group, role, doc)                                          \
  if (GHC_##ID != GHC_BLOCK_MARKER && GHC_##ID != GHC_HACK_BUG_T9003) {                            \
    posted++;                                                                                      \
    good &= is_done (eventlog_post_##id (writer, GHC_##ID % 3,                                     \
                                         &(const struct ghc_##id)                                  \
                                         { .present = present
#define FIELD(id, field, wire, unit, when, doc) , .field = SOME_##wire
#define END_EVENT(id)                                                                              \
  }),                                                                                              \
      #id);                                                                                        \
  }
#include <proflog/ghc-events.def>
  return good;
}

int
main (int argc, char **argv)
{
  struct eventlog_writer *writer = eventlog_writer_new (NULL);
  if (argc < 2 || argc > 3 || writer == NULL)
    return 2;
  present = argc == 3 ? UINT32_MAX : 0;
  bool good = is_done (eventlog_writer_set_file (writer, argv[1]), "file");
  for (int i = 0; i < 2; i++) {
    good &= is_done (eventlog_writer_send_header (writer), "header")
            && is_done (eventlog_writer_start (writer), "start") && post_all (writer)
            && is_done (eventlog_writer_stop (writer), "stop");
    printf ("%u\n", posted);
  }
  eventlog_writer_free (writer);
  return good ? 0 : 1;
}
