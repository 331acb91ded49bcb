/* taken.h -- shared by the tests of the writer of eventlogs: a destination in memory, and the
 * events of a log. */
#ifndef TESTS_EVENTLOG_TAKEN_H
#define TESTS_EVENTLOG_TAKEN_H

#include <proflog/eventlog-writer.h>
#include <proflog/ghc-reader.h>

struct taken {
  GByteArray *bytes;
  int refuse; /* this many pieces; -1: all */
  int refused;
  struct eventlog_writer *calls; /* is called from the callback */
  enum eventlog_result called;
  uint64_t time;
};

/* The callback, with the struct taken as data. */
bool take (void *data, const void *bytes, size_t length);

/* A writer into `taken`, whose clock goes on by 10 an event; the beginning of its log; and its
 * end. */
struct eventlog_writer *new_writer (struct taken *taken);
void begin (struct eventlog_writer *writer);
void end (struct eventlog_writer *writer, struct taken *taken);

/* "H" for a header, "E" for an end mark, "B7" for a block of capability 7 (B- no one's), and events
 * by their tags and first numbers.  With g_free. */
char *contents (const GByteArray *log);
void check_contents (const struct taken *taken, const char *expected);

/* Posts a message. */
enum eventlog_result post_message (struct eventlog_writer *writer, unsigned cap, const char *text);

#endif
