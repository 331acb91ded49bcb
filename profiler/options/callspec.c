/* callspec.c -- parses and evaluates the callspec option. */
#include "config.h"

#include "profiler/options/callspec.h"
#include <stdio.h>
#include <string.h>

static bool
parse_term (struct callspec_term *term, char *text, char *why, size_t size)
{
  *term = (struct callspec_term){ .exclude = text[0] == '-' };
  char *name = text + term->exclude;
  if (strncmp (name, "N:", 2) == 0) {
    term->kind = CALLSPEC_NAMESPACE;
    name += 2;
  } else if (strncmp (name, "T:", 2) == 0) {
    term->kind = CALLSPEC_TYPE;
    name += 2;
  } else if (strncmp (name, "M:", 2) == 0) {
    term->kind = CALLSPEC_METHOD;
    name += 2;
    char *colon = strchr (name, ':');
    if (colon == NULL || colon == name || colon[1] == 0) {
      snprintf (why, size, "callspec: '%s' is not of the form M:TYPE:METHOD", text);
      return false;
    }
    *colon = 0;
    term->method = colon + 1;
  } else if (strcmp (name, "all") == 0) {
    term->kind = CALLSPEC_ALL;
  } else if (strcmp (name, "none") == 0) {
    term->kind = CALLSPEC_NONE;
  } else if (strcmp (name, "program") == 0) {
    term->kind = CALLSPEC_PROGRAM;
  } else {
    term->kind = CALLSPEC_ASSEMBLY;
  }
  /* N: alone is the global namespace. */
  if (name[0] == 0 && term->kind != CALLSPEC_NAMESPACE) {
    snprintf (why, size, "callspec: '%s' names nothing", text);
    return false;
  }
  if (term->kind == CALLSPEC_ASSEMBLY && strchr (name, ':') != NULL) {
    snprintf (why, size, "callspec: '%s' is neither N:, T: nor M:", text);
    return false;
  }
  term->name = name;
  return true;
}

bool
callspec_parse (struct callspec *spec, const char *text, char *why, size_t size)
{
  if (strlen (text) >= sizeof spec->text) {
    snprintf (why, size, "callspec: longer than %zu bytes", sizeof spec->text - 1);
    return false;
  }
  strcpy (spec->text, text);
  spec->count = 0;
  char *rest = spec->text;
  for (char *term = strsep (&rest, ","); term != NULL; term = strsep (&rest, ",")) {
    if (spec->count == CALLSPEC_TERMS) {
      snprintf (why, size, "callspec: more than %d terms", CALLSPEC_TERMS);
      return false;
    }
    if (!parse_term (&spec->terms[spec->count++], term, why, size))
      return false;
  }
  return true;
}

static bool
term_matches (const struct callspec_term *term, const struct callspec_method *m)
{
  switch (term->kind) {
  case CALLSPEC_ALL:
    return true;
  case CALLSPEC_NONE:
    return false;
  case CALLSPEC_PROGRAM:
    return m->in_program;
  case CALLSPEC_ASSEMBLY:
    return strcmp (term->name, m->assembly) == 0;
  case CALLSPEC_NAMESPACE:
    return strcmp (term->name, m->name_space) == 0;
  case CALLSPEC_TYPE:
    return strcmp (term->name, m->type) == 0;
  case CALLSPEC_METHOD:
    return strcmp (term->name, m->type) == 0 && strcmp (term->method, m->name) == 0;
  }
  return false;
}

bool
callspec_matches (const struct callspec *spec, const struct callspec_method *method)
{
  bool matches = spec->count == 0 || spec->terms[0].exclude;
  for (size_t i = 0; i < spec->count; i++)
    if (term_matches (&spec->terms[i], method))
      matches = !spec->terms[i].exclude;
  return matches;
}
