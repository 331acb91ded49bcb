/* control-dispatch.c -- finds the verb of a request and runs it. */
#include "config.h"

#include "agent/clock.h"
#include "agent/requests.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* one verb at a time */
static time_t started_at;
static uint64_t started_ns;

static void
refuse_unknown (const struct control_verbs *verbs, struct reply *r, const char *name)
{
  char names[256] = "";
  size_t length = 0;
  for (size_t i = 0; i < verbs->count; i++)
    length += (size_t) snprintf (names + length, sizeof names - length, "%s%s", i > 0 ? ", " : "",
                                 verbs->list[i].name);
  reply_error (r, PROFLOG_CONTROL_USAGE, "there is no '%s'; there are %s", name, names);
}

static const char blanks[] = " \t\r";

/* Ends the first word of `text`, and sets *rest to the text after it and its blanks. */
static char *
end_word (char *text, char **rest)
{
  char *p = text + strcspn (text, blanks);
  if (*p != 0)
    *p++ = 0;
  *rest = p + strspn (p, blanks);
  return text;
}

/* Splits at blanks; the number of words, or one too many. */
static size_t
split (char *text, char **words)
{
  size_t count = 0;
  for (char *p = text; *p != 0;) {
    if (count == CONTROL_WORDS_MAX)
      return CONTROL_WORDS_MAX + 1;
    words[count++] = end_word (p, &p);
  }
  return count;
}

/* All but the blanks at the end is one argument.  The number of arguments. */
static size_t
trim (char *text, char **words)
{
  size_t length = strlen (text);
  while (length > 0 && strchr (blanks, text[length - 1]) != NULL)
    length--;
  text[length] = 0;
  words[0] = text;
  return length > 0;
}

static void
run (const struct control_verbs *verbs, char *request, struct reply *r)
{
  char *words[CONTROL_WORDS_MAX], *arguments;
  const char *const name = end_word (request + strspn (request, blanks), &arguments);
  if (name[0] == 0) {
    reply_error (r, PROFLOG_CONTROL_USAGE, "the request has no words");
    return;
  }
  const struct control_verb *verb = verbs->list, *const end = verbs->list + verbs->count;
  while (verb < end && strcmp (verb->name, name) != 0)
    verb++;
  if (verb == end) {
    refuse_unknown (verbs, r, name);
    return;
  }
  const size_t count
      = verb->most == CONTROL_TEXT ? trim (arguments, words) : split (arguments, words);
  if (count > CONTROL_WORDS_MAX)
    reply_error (r, PROFLOG_CONTROL_USAGE, "the request has too many words");
  else if (count < verb->least || count > verb->most)
    reply_error (r, PROFLOG_CONTROL_USAGE, "%s takes %s arguments", verb->name,
                 verb->most == 0       ? "no"
                 : count < verb->least ? "more"
                                       : "fewer");
  else
    verb->run (r, count, words);
}

void
control_dispatch (const struct control_verbs *verbs, char *request, struct reply *r)
{
  pthread_mutex_lock (&lock);
  run (verbs, request, r);
  pthread_mutex_unlock (&lock);
}

void
control_dispatch_start (void)
{
  started_at = time (NULL);
  started_ns = clock_of_system ();
}

void
control_dispatch_after_fork (void)
{
  pthread_mutex_init (&lock, NULL); /* the thread that had it is not there */
}

void
control_reply_start (struct reply *r)
{
  struct tm utc;
  char text[32];
  strftime (text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r (&started_at, &utc));
  reply_text (r, "since", text);
  reply_number (r, "seconds", (clock_of_system () - started_ns) / 1000000000);
}
