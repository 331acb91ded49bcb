/* method-words.c -- divides the names that compilers make. */
#include "config.h"

#include "decoder/core/method-words.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

struct piece {
  const char *at;
  size_t length;
};

/* Of a name such as <NAME>KIND, which is in `whole`: the text between the first < and its >, and
 * the rest. */
static bool
divide (struct piece whole, struct piece *name, struct piece *kind)
{
  guint depth = 0;
  if (whole.length == 0 || whole.at[0] != '<')
    return false;
  for (size_t i = 0; i < whole.length; i++) {
    depth += whole.at[i] == '<';
    depth -= whole.at[i] == '>';
    if (depth == 0) {
      *name = (struct piece){ whole.at + 1, i - 1 };
      *kind = (struct piece){ whole.at + i + 1, whole.length - i - 1 };
      return true;
    }
  }
  return false;
}

static bool
begins_with (struct piece p, const char *text)
{
  return p.length >= strlen (text) && memcmp (p.at, text, strlen (text)) == 0;
}

/* The rest of a path of nested classes after its first; the text before the '/' is in *first. */
static struct piece
next_class (struct piece path, struct piece *first)
{
  guint depth = 0;
  size_t i = 0;
  for (; i < path.length && (path.at[i] != '/' || depth != 0); i++) {
    depth += path.at[i] == '<';
    depth -= path.at[i] == '>' && depth != 0;
  }
  *first = (struct piece){ path.at, i };
  return i < path.length ? (struct piece){ path.at + i + 1, path.length - i - 1 }
                         : (struct piece){ path.at + i, 0 };
}

/* The words for a method of a class that is resumed where it was: nothing if it is none. */
static const char *
resumed_words (struct piece kind)
{
  return begins_with (kind, "c__async")      ? " (async)"
         : begins_with (kind, "c__Iterator") ? " (iterator)"
         : begins_with (kind, "d__") || (kind.length == 1 && kind.at[0] == 'd')
             ? " (async or iterator)"
             : NULL;
}

/* A method that the compiler has made of one of the program. */
struct made {
  struct piece of;    /* that method; length 0: unknown */
  struct piece local; /* the name of a local function; length 0: none */
  bool is_lambda;
  guint number;        /* of a lambda, among those of its method; 0: the first, or unknown */
  const char *resumed; /* NULL: no */
};

/* Only csc counts the lambdas of each method. */
static void
take_lambda (struct made *made, struct piece kind)
{
  const char *end = kind.at + kind.length, *digits = end;
  while (begins_with (kind, "b__") && digits > kind.at && g_ascii_isdigit (digits[-1]))
    digits--;
  made->is_lambda = true;
  made->number = 0;
  for (; digits < end && made->number < 1000000; digits++)
    made->number = made->number * 10 + (guint) (*digits - '0');
}

/* A name in <>, which may be made itself: an async lambda is <<Main>b__0>d. */
static void
take_name (struct made *made, struct piece name)
{
  struct piece inner, kind;
  while (divide (name, &inner, &kind)) {
    if (begins_with (kind, "b__") || begins_with (kind, "m__"))
      take_lambda (made, kind);
    name = inner;
  }
  if (name.length != 0)
    made->of = name;
}

static bool
take_class (struct made *made, struct piece class)
{
  struct piece name, kind;
  if (!divide (class, &name, &kind))
    return false;
  made->resumed = resumed_words (kind);
  take_name (made, name);
  return true;
}

static bool
take_method (struct made *made, struct piece method)
{
  struct piece name, kind;
  if (!divide (method, &name, &kind))
    return made->resumed != NULL && method.length == strlen ("MoveNext")
           && begins_with (method, "MoveNext");
  take_name (made, name);
  if (begins_with (kind, "g__")) {
    const char *end = memchr (kind.at, '|', kind.length);
    made->local
        = (struct piece){ kind.at + 3,
                          (size_t) ((end != NULL ? end : kind.at + kind.length) - kind.at) - 3 };
  } else if (begins_with (kind, "b__") || begins_with (kind, "m__")) {
    take_lambda (made, kind);
  } else {
    return false;
  }
  made->resumed = NULL;
  return true;
}

/* "lambda in ", "lambda 2 in ", "Round in ", or nothing. */
static char *
words_before (const struct made *made)
{
  g_autofree char *local
      = made->local.length != 0
            ? g_strdup_printf ("%.*s in ", (int) made->local.length, made->local.at)
            : g_strdup ("");
  return !made->is_lambda    ? g_steal_pointer (&local)
         : made->number == 0 ? g_strconcat ("lambda in ", local, NULL)
                             : g_strdup_printf ("lambda %u in %s", made->number + 1, local);
}

/* A name that a compiler makes begins with '<', as few names do; that of generics is behind a name.
 */
static bool
may_be_made (const char *name, const char *end)
{
  for (const char *at = name; (at = memchr (at, '<', (size_t) (end - at))) != NULL; at++)
    if (at == name || !g_ascii_isalnum (at[-1]))
      return true;
  return false;
}

char *
method_words (const char *name, bool with_arguments)
{
  const char *colon = strchr (name, ':'), *arguments = strstr (name, " (");
  if (colon == NULL || name[0] == '(' || (arguments != NULL && arguments < colon))
    return g_strdup (name);
  const char *end = arguments != NULL ? arguments : name + strlen (name);
  const char *const after = with_arguments ? end : "";
  if (!may_be_made (name, end))
    return *after != 0 ? g_strdup (name) : g_strndup (name, (gsize) (end - name));
  const struct piece method = { colon + 1, (size_t) (end - colon - 1) };
  struct piece rest = { name, (size_t) (colon - name) }, class;
  struct made made = { .resumed = NULL };
  size_t known = 0; /* bytes of the class that the author has named */
  bool is_made = false;
  while (rest.length != 0) {
    rest = next_class (rest, &class);
    if (take_class (&made, class))
      is_made = true;
    else if (!is_made)
      known = (size_t) (class.at + class.length - name);
  }
  if (!take_method (&made, method) || made.of.length == 0)
    return g_strdup_printf ("%.*s%s", (int) (end - name), name, after);
  g_autofree char *before = words_before (&made);
  return g_strdup_printf ("%s%.*s:%.*s%s%s", before, (int) known, name, (int) made.of.length,
                          made.of.at, made.resumed != NULL ? made.resumed : "", after);
}
