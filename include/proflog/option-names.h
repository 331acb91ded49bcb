/* option-names.h -- the names of the module's options, and corrections of wrong ones.
 *
 * Nothing here allocates or depends on the locale.
 */
#ifndef PROFLOG_OPTION_NAMES_H
#define PROFLOG_OPTION_NAMES_H

#include <proflog/nearest-name.h>
#include <stdio.h>

struct proflog_option_name {
  const char *name;
  bool is_negatable; /* "no" may stand in front */
  bool is_listed;    /* in the help */
  const char *instead; /* the correction of a refused name of the stock profiler */
  const char *argument; /* as in the help; empty: none */
};

static inline const struct proflog_option_name *
proflog_option_names (size_t *count)
{
  static const struct proflog_option_name names[] = {
#define OPTION(ID, name, argument, doc) { name, false, true, NULL, argument },
#define NEGATABLE_WITH(ID, name, argument, doc) { name, true, true, NULL, argument },
#define HIDDEN(ID, name) { name, true, false, NULL, "" },
#define ALIAS(ID, name) { name, true, false, NULL, "" },
#define REFUSED(name, instead) { name, true, false, instead, "" },
#include <proflog/module-options.def>
  };
  *count = sizeof names / sizeof *names;
  return names;
}

/* The entry of a name (of `length` bytes), perhaps after "no"; NULL if there is none. */
static inline const struct proflog_option_name *
proflog_find_option_name (const char *name, size_t length)
{
  size_t count;
  const struct proflog_option_name *const names = proflog_option_names (&count);
  for (size_t i = 0; i < count; i++) {
    const size_t full = strlen (names[i].name);
    const bool is_negated = names[i].is_negatable && length == full + 2
                            && memcmp (name, "no", 2) == 0;
    if ((length == full && memcmp (name, names[i].name, full) == 0)
        || (is_negated && memcmp (name + 2, names[i].name, full) == 0))
      return &names[i];
  }
  return NULL;
}

/* Copies the listed name that is nearest to a wrong one, perhaps with "no", to `name`.  False if none
 * is near. */
static inline bool
proflog_nearest_option (const char *word, char *name, size_t size)
{
  enum { NAMES_MAX = 128 };
  char negated[NAMES_MAX / 2][PROFLOG_NEAREST_LENGTH_MAX + 1];
  const char *near[NAMES_MAX];
  size_t count, n = 0, negations = 0;
  const struct proflog_option_name *const names = proflog_option_names (&count);
  for (size_t i = 0; i < count && n + 2 <= NAMES_MAX; i++) {
    if (!names[i].is_listed)
      continue;
    near[n++] = names[i].name;
    if (!names[i].is_negatable)
      continue;
    snprintf (negated[negations], sizeof *negated, "no%s", names[i].name);
    near[n++] = negated[negations++];
  }
  const char *const nearest = proflog_nearest_name (word, near, n);
  if (nearest != NULL)
    snprintf (name, size, "%s", nearest);
  return nearest != NULL;
}

/* Whether there is an option of this name, which ends at '=' or at the end.  If not: `why` has the
 * correction. */
static inline bool
proflog_check_option_name (const char *option, char *why, size_t size)
{
  char word[PROFLOG_NEAREST_LENGTH_MAX + 2];
  const size_t length = strcspn (option, "=");
  const int shown = length < 200 ? (int) length : 200;
  const struct proflog_option_name *const name = proflog_find_option_name (option, length);
  if (name != NULL && name->instead == NULL)
    return true;
  if (name != NULL) {
    snprintf (why, size, "there is no option '%.*s': %s", shown, option, name->instead);
    return false;
  }
  snprintf (word, sizeof word, "%.*s", shown, option);
  char near[PROFLOG_NEAREST_LENGTH_MAX + 1];
  if (proflog_nearest_option (word, near, sizeof near))
    snprintf (why, size, "there is no option '%.*s'; did you mean '%s'?", shown, option, near);
  else
    snprintf (why, size, "there is no option '%.*s' (try 'help')", shown, option);
  return false;
}

#endif
