/* eventlog-classes.c -- classes of events by their names. */
#include "config.h"

#include "eventlog/eventlog-private.h"
#include <string.h>

static const char *const names[EVENTLOG_CLASSES] = {
#define CLASS(ID, name, doc) [EVENTLOG_CLASS_##ID] = name,
#include <proflog/eventlog-classes.def>
};

#define EVENTLOG_CLASS_NONE EVENTLOG_CLASSES

static const enum eventlog_class classes[GHC_KINDS] = {
#define EVENT(ID, id, tag, size, since, group, role, doc) [GHC_##ID] = EVENTLOG_CLASS_##group,
#include <proflog/ghc-events.def>
};

static const char *const kind_names[GHC_KINDS] = {
#define EVENT(ID, id, tag, size, since, group, role, doc) [GHC_##ID] = #id,
#include <proflog/ghc-events.def>
};

const char *
eventlog_class_name (enum eventlog_class which)
{
  return (unsigned) which < EVENTLOG_CLASSES ? names[which] : NULL;
}

enum eventlog_class
eventlog_class_find (const char *name)
{
  unsigned i = 0;
  while (i < EVENTLOG_CLASSES && strcmp (names[i], name) != 0)
    i++;
  return (enum eventlog_class) i;
}

enum eventlog_class
eventlog_class_of (enum ghc_kind kind)
{
  return (unsigned) kind < GHC_KINDS ? classes[kind] : EVENTLOG_CLASSES;
}

/* Words of names are joined by '-' in texts, by '_' in C. */
static bool
is_name (const char *text, size_t length, const char *name)
{
  for (size_t i = 0; i < length; i++)
    if (name[i] == 0 || (text[i] == '-' ? '_' : text[i]) != name[i])
      return false;
  return name[length] == 0;
}

/* GHC_KINDS: the class has no event of that name. */
static enum ghc_kind
find_member (enum eventlog_class which, const char *text, size_t length)
{
  unsigned kind = 0;
  while (kind < GHC_KINDS && (classes[kind] != which || !is_name (text, length, kind_names[kind])))
    kind++;
  return (enum ghc_kind) kind;
}

bool
eventlog_choose (enum eventlog_class which, const char *argument, bool *chosen)
{
  const bool all = argument == NULL || argument[0] == 0;
  for (unsigned kind = 0; kind < GHC_KINDS && all; kind++)
    chosen[kind] |= classes[kind] == which;
  for (const char *p = all ? "" : argument; *p != 0;) {
    const size_t length = strcspn (p, ",");
    const enum ghc_kind kind = find_member (which, p, length);
    if (kind == GHC_KINDS)
      return false;
    chosen[kind] = true;
    p += length + (p[length] == ',');
  }
  return true;
}
