/* hidden.c -- divides names into public parts and those that are replaced. */
#include "config.h"

#include "decoder/mlpd/edit/hidden.h"
#include "decoder/core/marks.h"
#include "decoder/core/library-names.h"
#include "decoder/mlpd/model/wait-kind.h"

#include <proflog/mlpd.h>
#include <proflog/module-options.h>
#include <proflog/option-names.h>
#include <string.h>

#define NAMES(list) (list), G_N_ELEMENTS (list)

static bool
is_one_of (const char *text, size_t length, const char *const *names, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (strlen (names[i]) == length && memcmp (text, names[i], length) == 0)
      return true;
  return false;
}

static bool
begins_with (const char *text, size_t length, const char *const *beginnings, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (length >= strlen (beginnings[i])
        && memcmp (text, beginnings[i], strlen (beginnings[i])) == 0)
      return true;
  return false;
}

static void
append_secret (const struct secrets *s, GString *to, enum secret secret, const char *text,
               size_t length)
{
  secrets_append (s, to, secret_word (secret), text, length);
}

/* ---- types ---- */

/* Names that every program has: types of the language, and names of its methods. */
static bool
is_of_language (const char *name, size_t length)
{
  static const char *const names[]
      = { "void",     "bool",    "char",  "sbyte",  "byte",   "short",   "ushort",      "int",
          "uint",     "long",    "ulong", "single", "double", "string",  "object",      "intptr",
          "uintptr",  "decimal", "ctor",  "cctor",  "Main",   "Invoke",  "BeginInvoke", "EndInvoke",
          "Finalize", "Module",  "T",     "TKey",   "TValue", "TResult", "TSource" };
  bool is_number = true;
  for (size_t i = 0; i < length; i++)
    is_number &= g_ascii_isdigit (name[i]);
  return is_number || is_one_of (name, length, NAMES (names));
}

static bool
is_of_identifier (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '$' || c == '@' || (c & 0x80) != 0;
}

/* Of a run of identifiers with dots and the like between them. */
static bool
is_of_run (char c)
{
  return is_of_identifier (c) || c == '.' || c == '/' || c == '+' || c == '`';
}

static size_t
run_length (const char *at, size_t left, bool (*is_of) (char c))
{
  size_t n = 0;
  while (n < left && is_of (at[n]))
    n++;
  return n;
}

static void
append_run (const struct secrets *s, GString *to, const char *run, size_t length)
{
  if (is_library_name (run, length)) {
    g_string_append_len (to, run, (gssize) length);
    return;
  }
  for (size_t at = 0; at < length;) {
    const size_t n = run_length (run + at, length - at, is_of_identifier);
    if (n == 0)
      g_string_append_c (to, run[at]);
    else if (is_of_language (run + at, n))
      g_string_append_len (to, run + at, (gssize) n);
    else
      append_secret (s, to, SECRET_NAMES, run + at, n);
    at += MAX (n, 1);
  }
}

void
hidden_class (const struct secrets *s, GString *to, const char *name, size_t length)
{
  for (size_t at = 0; at < length;) {
    const size_t n = run_length (name + at, length - at, is_of_run);
    if (n == 0)
      g_string_append_c (to, name[at]);
    else
      append_run (s, to, name + at, n);
    at += MAX (n, 1);
  }
}

/* ---- methods ---- */

/* Bytes of "(wrapper KIND) ". */
static size_t
wrapper_length (const char *name, size_t length)
{
  static const char wrapper[] = "(wrapper ";
  const char *end = length > sizeof wrapper && memcmp (name, wrapper, sizeof wrapper - 1) == 0
                        ? memchr (name, ')', length)
                        : NULL;
  for (const char *p = name + sizeof wrapper - 1; end != NULL && p < end; p++)
    if (!g_ascii_islower (*p) && *p != '-')
      return 0;
  return end != NULL && (size_t) (end - name) + 1 < length && end[1] == ' '
             ? (size_t) (end - name) + 2
             : 0;
}

/* A method of a class that is public has a public name, but not the types that it is made for; so
 * has a function of the system, of which reports know that it waits. */
static void
append_method_name (const struct secrets *s, GString *to, bool is_of_public_class, const char *name,
                    size_t length)
{
  g_autofree char *function = g_strndup (name, length);
  const char *types = length > 1 ? memchr (name + 1, '<', length - 1) : NULL;
  const size_t public_length = types != NULL ? (size_t) (types - name) : length;
  if (wait_kind_of_function (function) != WAIT_NONE)
    g_string_append (to, function);
  else if (is_of_public_class) {
    g_string_append_len (to, name, (gssize) public_length);
    hidden_class (s, to, name + public_length, length - public_length);
  } else
    hidden_class (s, to, name, length);
}

void
hidden_method (const struct secrets *s, GString *to, const char *name, size_t length)
{
  static const char icall[] = "__icall_wrapper_", dynamic[] = "(wrapper dynamic-method) ";
  const size_t wrapper = wrapper_length (name, length);
  /* The program names these, whatever class it gives them. */
  const bool is_dynamic
      = wrapper == sizeof dynamic - 1 && memcmp (name, dynamic, sizeof dynamic - 1) == 0;
  g_string_append_len (to, name, (gssize) wrapper);
  name += wrapper;
  length -= wrapper;
  const char *colon = memchr (name, ':', length);
  if (colon == NULL) {
    hidden_class (s, to, name, length);
    return;
  }
  const size_t class_length = (size_t) (colon - name);
  const char *method = colon + 1;
  const size_t left = length - class_length - 1;
  size_t method_length = 0;
  while (method_length < left && method[method_length] != ' ' && method[method_length] != '(')
    method_length++;
  hidden_class (s, to, name, class_length);
  g_string_append_c (to, ':');
  const bool is_icall = wrapper != 0 && method_length > sizeof icall
                        && memcmp (method, icall, sizeof icall - 1) == 0;
  append_method_name (s, to, is_icall || (!is_dynamic && is_library_name (name, class_length)),
                      method, method_length);
  hidden_class (s, to, method + method_length, left - method_length);
}

void
hidden_symbol (const struct secrets *s, GString *to, const char *name, size_t length)
{
  static const char *const beginnings[]
      = { "mono_", "monoeg_", "sgen_", "ves_icall_", "mini_", "__libc_", "pthread_" };
  static const char *const names[] = { "memchr", "memcmp", "memcpy", "memmove", "memset",
                                       "strchr", "strcmp", "strcpy", "strlen" };
  g_autofree char *function = g_strndup (name, length);
  if (wait_kind_of_function (function) != WAIT_NONE
      || begins_with (name, length, NAMES (beginnings)) || is_one_of (name, length, NAMES (names)))
    g_string_append (to, function);
  else
    append_secret (s, to, SECRET_NAMES, name, length);
}

/* ---- files ---- */

/* ".exe", where it is short and of letters and digits. */
static size_t
ending_length (const char *name, size_t length)
{
  enum { LONGEST = 6 };
  size_t n = 0;
  while (n < length && n < LONGEST && g_ascii_isalnum (name[length - n - 1]))
    n++;
  return n != 0 && n < length && name[length - n - 1] == '.' ? n + 1 : 0;
}

void
hidden_file (const struct secrets *s, GString *to, const char *name, size_t length)
{
  static const char *const system_folders[]
      = { "/usr/lib/mono/", "/lib/x86_64-linux-gnu/", "/usr/lib/x86_64-linux-gnu/" };
  static const char *const system_files[] = { "lib", "ld-" };
  size_t folder = length;
  while (folder > 0 && name[folder - 1] != '/')
    folder--;
  const char *file = name + folder;
  const size_t file_length = length - folder, ending = ending_length (file, file_length);
  const bool is_library = is_library_name (file, file_length - ending);
  const bool is_of_system
      = begins_with (name, length, NAMES (system_folders))
        && (is_library || begins_with (file, file_length, NAMES (system_files)));
  if (is_of_system)
    g_string_append_len (to, name, (gssize) folder);
  else if (folder > 1) {
    append_secret (s, to, SECRET_NAMES, name, folder - 1);
    g_string_append_c (to, '/');
  }
  if (is_library || is_of_system) {
    g_string_append_len (to, file, (gssize) file_length);
    return;
  }
  append_secret (s, to, SECRET_NAMES, file, file_length - ending);
  g_string_append_len (to, file + file_length - ending, (gssize) ending);
}

void
hidden_assembly (const struct secrets *s, GString *to, const char *name, size_t length)
{
  const char *comma = memchr (name, ',', length);
  const size_t simple = comma != NULL ? (size_t) (comma - name) : length;
  if (is_library_name (name, simple))
    g_string_append_len (to, name, (gssize) length);
  else
    append_secret (s, to, SECRET_NAMES, name, simple);
}

/* ---- roots, threads, marks ---- */

void
hidden_root (const struct secrets *s, GString *to, unsigned source, const char *name, size_t length)
{
  static const char *const fields[]
      = { "Static Fields", "ThreadStatic Fields", "ContextStatic Fields" };
  const bool is_class = source == MLPD_ROOT_SOURCE_STATIC
                        || source == MLPD_ROOT_SOURCE_THREAD_STATIC
                        || source == MLPD_ROOT_SOURCE_CONTEXT_STATIC;
  if (source == MLPD_ROOT_SOURCE_EXTERNAL)
    append_secret (s, to, SECRET_NAMES, name, length);
  else if (is_class && !is_one_of (name, length, NAMES (fields)))
    hidden_class (s, to, name, length);
  else
    g_string_append_len (to, name, (gssize) length);
}

void
hidden_label (const struct secrets *s, GString *to, const char *name, size_t length)
{
  static const char *const threads[] = { "Main",
                                         "Finalizer",
                                         "Thread Pool Worker",
                                         "Thread Pool I/O Selector",
                                         "Timer-Scheduler",
                                         "Profiler Writer",
                                         "Profiler Sampler",
                                         "Profiler Helper",
                                         "Profiler Dumper",
                                         "SGen worker",
                                         "IO Threadpool worker",
                                         "Threadpool worker" };
  if (is_one_of (name, length, NAMES (threads)) || is_library_name (name, length))
    g_string_append_len (to, name, (gssize) length);
  else
    append_secret (s, to, SECRET_LABELS, name, length);
}

void
hidden_layout (const struct secrets *s, GString *to, const char *text, size_t length)
{
  const char *const end = text + length;
  while (text < end) {
    const char *const space = memchr (text, ' ', (size_t) (end - text));
    const char *const next = space != NULL ? space + 1 : end;
    const char *const colon = memchr (text, ':', (size_t) (next - text));
    const char *const name = colon != NULL ? colon + 1 : next;
    g_string_append_len (to, text, name - text);
    hidden_class (s, to, name, (size_t) (next - name));
    text = next;
  }
}

void
hidden_mark (const struct secrets *s, GString *to, const char *name, size_t length)
{
  const size_t prefix = mark_pairs_prefix (name, length);
  g_string_append_len (to, name, (gssize) prefix);
  append_secret (s, to, SECRET_MESSAGES, name + prefix, length - prefix);
}

void
hidden_lines (const struct secrets *s, GString *to, const char *lines, size_t length)
{
  for (size_t at = 0; at < length;) {
    const char *end = memchr (lines + at, '\n', length - at);
    const size_t line = end != NULL ? (size_t) (end - lines) - at : length - at;
    size_t file = line;
    while (file > 0 && lines[at + file - 1] != ':')
      file--;
    if (file > 1) {
      hidden_file (s, to, lines + at, file - 1);
      g_string_append_c (to, ':');
    }
    g_string_append_len (to, lines + at + file, (gssize) (line - file));
    at += line;
    if (end != NULL) {
      g_string_append_c (to, '\n');
      at++;
    }
  }
}

/* ---- options ---- */

/* Is the value one of the words that an argument lists: "=auto|1|17|eventlog"? */
static bool
is_listed (const char *argument, const char *value)
{
  g_auto (GStrv) words = g_strsplit_set (argument, "[=|]", -1);
  for (char **word = words; *word != NULL; word++)
    if (g_ascii_islower (**word) && strcmp (*word, value) == 0)
      return true;
  return false;
}

/* "16", "50ms" */
static bool
is_quantity (const char *value)
{
  enum { LONGEST_UNIT = 2 };
  const char *unit = value + strspn (value, "0123456789");
  const size_t length = strspn (unit, "abcdefghijklmnopqrstuvwxyz");
  return unit != value && length <= LONGEST_UNIT && unit[length] == 0;
}

static void
append_option (const struct secrets *s, GString *to, const char *option)
{
  const char *is = strchr (option, '=');
  const size_t length = is != NULL ? (size_t) (is - option) : strlen (option);
  const struct proflog_option_name *known = proflog_find_option_name (option, length);
  if (known == NULL) {
    append_secret (s, to, SECRET_ARGS, option, strlen (option));
    return;
  }
  g_string_append_len (to, option, (gssize) length);
  if (is == NULL)
    return;
  g_string_append_c (to, '=');
  if (is_listed (known->argument, is + 1) || is_quantity (is + 1))
    g_string_append (to, is + 1);
  else
    append_secret (s, to, SECRET_ARGS, is + 1, strlen (is + 1));
}

void
hidden_options (const struct secrets *s, GString *to, const char *text, size_t length)
{
  static const char *const modules[] = { "proflog", "log" };
  g_autofree char *copy = g_strndup (text, length);
  const char *at = copy + strcspn (copy, ":");
  const size_t module = (size_t) (at - copy);
  if (is_one_of (copy, module, NAMES (modules)))
    g_string_append_len (to, copy, (gssize) module);
  else
    append_secret (s, to, SECRET_ARGS, copy, module);
  for (bool is_first = true; *at != 0; is_first = false) {
    char option[PROFLOG_OPTION_SIZE];
    at += is_first;
    g_string_append_c (to, is_first ? ':' : ',');
    const char *rest = at;
    if (proflog_next_option (&at, option, sizeof option) != PROFLOG_OPTION_READ) {
      append_secret (s, to, SECRET_ARGS, rest, strlen (rest));
      return;
    }
    append_option (s, to, option);
  }
}
