/* control-dispatch.c -- see control-dispatch.h. */
#include "profiler/control-dispatch.h"
#include <stdio.h>
#include <string.h>

static void
tell_unknown (const struct control_verb *verbs, size_t count, struct reply *r, const char *name)
{
  char names[256] = "";
  size_t length = 0;
  for (size_t i = 0; i < count; i++)
    length += (size_t) snprintf (names + length, sizeof names - length, "%s%s", i > 0 ? ", " : "",
                                 verbs[i].name);
  reply_error (r, PROFLOG_CONTROL_USAGE, "there is no '%s'; there are %s", name, names);
}

/* Splits at blanks; the number of words, or one too many. */
static size_t
split (char *text, char **words)
{
  static const char blanks[] = " \t\r";
  size_t count = 0;
  for (char *p = text + strspn (text, blanks); *p != 0; p += strspn (p, blanks)) {
    if (count == CONTROL_WORDS_MAX)
      return CONTROL_WORDS_MAX + 1;
    words[count++] = p;
    p += strcspn (p, blanks);
    if (*p != 0)
      *p++ = 0;
  }
  return count;
}

void
control_dispatch (const struct control_verb *verbs, size_t n_verbs, char *request, struct reply *r)
{
  char *words[CONTROL_WORDS_MAX];
  const size_t count = split (request, words);
  if (count == 0 || count > CONTROL_WORDS_MAX) {
    reply_error (r, PROFLOG_CONTROL_USAGE, "the request has %s words",
                 count == 0 ? "no" : "too many");
    return;
  }
  const struct control_verb *verb = verbs;
  while (verb < verbs + n_verbs && strcmp (verb->name, words[0]) != 0)
    verb++;
  if (verb == verbs + n_verbs)
    tell_unknown (verbs, n_verbs, r, words[0]);
  else if (count - 1 < verb->least || count - 1 > verb->most)
    reply_error (r, PROFLOG_CONTROL_USAGE, "%s takes %s arguments", verb->name,
                 verb->most == 0           ? "no"
                 : count - 1 < verb->least ? "more"
                                           : "fewer");
  else
    verb->run (r, count - 1, words + 1);
}
