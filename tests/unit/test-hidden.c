/* test-hidden.c -- the parts of a name that stay. */
#include "config.h"

#include "decoder/mlpd/edit/hidden.h"
#include "tests/unit/test.h"

#include <proflog/mlpd.h>
#include <proflog/module-options.h>
#include <string.h>

typedef void hide (const struct secrets *secrets, GString *to, const char *name, size_t length);

/* Names of the program contain "Secret" here. */
static void
expect (hide *hide_name, const char *name, const char *beginning, const char *end)
{
  struct secrets secrets;
  GString *hidden = g_string_new (NULL);
  secrets_init (&secrets, "k");
  hide_name (&secrets, hidden, name, strlen (name));
  if (strstr (hidden->str, "Secret") != NULL || !g_str_has_prefix (hidden->str, beginning)
      || !g_str_has_suffix (hidden->str, end))
    fail_msg ("'%s' became '%s'", name, hidden->str);
  g_string_free (hidden, TRUE);
  secrets_clear (&secrets);
}

struct hidden_name {
  hide *hide_name;
  const char *name, *beginning, *end;
};

static void
expect_all (const struct hidden_name *names, size_t n)
{
  for (size_t i = 0; i < n; i++)
    expect (names[i].hide_name, names[i].name, names[i].beginning, names[i].end);
}

/* An identifier is one word, of any letters; the text between two stays. */
TEST (test_classes)
{
  static const struct hidden_name names[] = {
    { hidden_class, "Secret_Secret", "name-", "" },
    { hidden_class, "$Secret", "name-", "" },
    { hidden_class, "@Secret", "name-", "" },
    { hidden_class, "_Secret", "name-", "" },
    { hidden_class, "\xc3\xa9Secret", "name-", "" },
    { hidden_class, "Secret`2/Secret+T", "name-", "+T" },
    { hidden_class, "Secret.Secret`2", "name-", "`2" },
    { hidden_class, "Secret[,]", "name-", "[,]" },
    { hidden_class, "Interop", "Interop", "Interop" },
    { hidden_class, "Interop/Sys", "Interop/Sys", "Interop/Sys" },
  };
  expect_all (names, G_N_ELEMENTS (names));
}

/* The method of a public class stays, as do wrappers and functions that wait. */
TEST (test_methods)
{
  static const struct hidden_name names[] = {
    { hidden_method, "System.Array:Resize<Secret> (Secret[]&,int)", "System.Array:Resize<name-",
      "[]&,int)" },
    { hidden_method, "System.Linq.Enumerable:Select<Shop.Secret, int> (object)",
      "System.Linq.Enumerable:Select<name-", ", int> (object)" },
    { hidden_method, "(wrapper dynamic-method) System.Object:MySecret (int)",
      "(wrapper dynamic-method) System.Object:name-", " (int)" },
    { hidden_method, "System.Threading.Monitor:Wait (object)", "System.Threading.Monitor:Wait ",
      "(object)" },
    { hidden_method, "Secret.Program:Main (string[])", "name-", ":Main (string[])" },
    { hidden_method, "System.Array:Sort(Secret)", "System.Array:Sort(name-", ")" },
    { hidden_method, "System.Array:Sort", "System.Array:Sort", ":Sort" },
    { hidden_method, "System.Array:A", "System.Array:A", ":A" },
    { hidden_method, "Secret:nanosleep (int)", "name-", ":nanosleep (int)" },
    { hidden_method, "SecretMethod", "name-", "" },
    { hidden_method, "(wrapper managed-to-native) object:__icall_wrapper_mono_x (intptr)",
      "(wrapper managed-to-native) object:__icall_wrapper_mono_x ", "(intptr)" },
    /* Without a wrapper in front, the name of an icall is the program's. */
    { hidden_method, "object:__icall_wrapper_Secret (intptr)", "object:name-", " (intptr)" },
  };
  expect_all (names, G_N_ELEMENTS (names));
}

/* A name that only begins as a wrapper does is replaced. */
TEST (test_no_wrappers)
{
  static const struct hidden_name names[] = {
    { hidden_method, "(wrapper Secret) Secret:F ()", "(name-", " ()" },
    { hidden_method, "(wrapper secret Secret:F", "(name-", "" },
    { hidden_method, "(wrapper unknown)Secret:F ()", "(name-", " ()" },
    { hidden_method, "(wrapper unknown)", "(name-", ")" },
    { hidden_method, "(wrapper x1) Secret:F ()", "(name-", " ()" },
    { hidden_method, "(wrapped unknown) Secret:F ()", "(name-", " ()" },
  };
  expect_all (names, G_N_ELEMENTS (names));
}

TEST (test_symbols)
{
  static const struct hidden_name names[] = {
    { hidden_symbol, "strSecret", "name-", "" },
    { hidden_symbol, "memberSecret", "name-", "" },
    { hidden_symbol, "__Secret", "name-", "" },
    { hidden_symbol, "memcpy", "memcpy", "memcpy" },
    { hidden_symbol, "__nanosleep", "__nanosleep", "__nanosleep" },
  };
  expect_all (names, G_N_ELEMENTS (names));
}

/* The ending of a file stays, if it is one. */
TEST (test_files)
{
  static const struct hidden_name names[] = {
    { hidden_file, "/usr/lib/mono/gac/Secret/1.0.0.0__ab/Secret.dll", "name-", ".dll" },
    { hidden_file, "/home/Secret/System.Xml.dll", "name-", "/System.Xml.dll" },
    { hidden_file, "/usr/lib/mono/4.5/mscorlib.dll", "/usr/lib/mono/4.5/mscorlib.dll", "" },
    { hidden_file, "/usr/lib/x86_64-linux-gnu/libm.so.6", "/usr/lib/x86_64-linux-gnu/libm.so.6",
      "" },
    { hidden_file, "/lib/x86_64-linux-gnu/ld-2.31.so", "/lib/x86_64-linux-gnu/ld-2.31.so", "" },
    { hidden_file, "/home/Secret/libm.so.6", "name-", ".6" },
    { hidden_file, "/Secret.exe", "name-", ".exe" },
    { hidden_file, "Secret.exe", "name-", ".exe" },
    { hidden_file, "Secret", "name-", "" },
    { hidden_file, "abc", "name-", "" },
    { hidden_file, "Secret.", "name-", "" },
    { hidden_file, "Secret.Secrets", "name-", "" },
    { hidden_file, "Secret-exe", "name-", "" },
  };
  expect_all (names, G_N_ELEMENTS (names));
}

TEST (test_assemblies)
{
  static const struct hidden_name names[] = {
    { hidden_assembly, "Secret, Version=1.2.3.4", "name-", "" },
    { hidden_assembly, "Secret", "name-", "" },
    { hidden_assembly, "System.Xml, Version=4.0.0.0", "System.Xml, Version=4.0.0.0", "" },
    { hidden_assembly, "Interop", "Interop", "Interop" },
  };
  expect_all (names, G_N_ELEMENTS (names));
}

TEST (test_roots)
{
  const struct {
    unsigned source;
    const char *name, *beginning;
  } cases[] = {
    { MLPD_ROOT_SOURCE_EXTERNAL, "Secret", "name-" },
    { MLPD_ROOT_SOURCE_STATIC, "Secret.Program", "name-" },
    { MLPD_ROOT_SOURCE_STATIC, "System.Console", "System.Console" },
    { MLPD_ROOT_SOURCE_STATIC, "Static Fields", "Static Fields" },
    { MLPD_ROOT_SOURCE_THREAD_STATIC, "Secret", "name-" },
    { MLPD_ROOT_SOURCE_THREAD_STATIC, "ThreadStatic Fields", "ThreadStatic Fields" },
    { MLPD_ROOT_SOURCE_CONTEXT_STATIC, "Secret", "name-" },
    { MLPD_ROOT_SOURCE_CONTEXT_STATIC, "ContextStatic Fields", "ContextStatic Fields" },
    { MLPD_ROOT_SOURCE_STACK, "Thread Stack", "Thread Stack" },
  };
  struct secrets secrets;
  secrets_init (&secrets, "k");
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    GString *hidden = g_string_new (NULL);
    hidden_root (&secrets, hidden, cases[i].source, cases[i].name, strlen (cases[i].name));
    if (strstr (hidden->str, "Secret") != NULL
        || !g_str_has_prefix (hidden->str, cases[i].beginning))
      fail_msg ("'%s' became '%s'", cases[i].name, hidden->str);
    g_string_free (hidden, TRUE);
  }
  secrets_clear (&secrets);
}

TEST (test_labels)
{
  static const struct hidden_name names[] = {
    { hidden_label, "Finalizer", "Finalizer", "Finalizer" },
    { hidden_label, "System.Timers", "System.Timers", "System.Timers" },
    { hidden_label, "My Secret", "label-", "" },
    { hidden_label, "Finalizer Secret", "label-", "" },
  };
  expect_all (names, G_N_ELEMENTS (names));
}

TEST (test_marks)
{
  static const struct hidden_name names[] = {
    { hidden_mark, "START Secret", "START msg-", "" },
    { hidden_mark, "STOP Secret", "STOP msg-", "" },
    { hidden_mark, "STEP Secret", "msg-", "" },
    { hidden_mark, "Secret", "msg-", "" },
    { hidden_mark, "START ", "msg-", "" },
  };
  expect_all (names, G_N_ELEMENTS (names));
}

/* Numbers of lines stay, as do lines without a file. */
TEST (test_lines)
{
  static const struct hidden_name names[] = {
    { hidden_lines, "/home/Secret/Secret.cs:12\n13\nSecret.cs:14\n", "name-", ".cs:14\n" },
    { hidden_lines, "12\n:13\n14", "12\n13\n14", "14" },
    { hidden_lines, "/home/Secret/a.cs:15", "name-", ".cs:15" },
  };
  expect_all (names, G_N_ELEMENTS (names));
}

TEST (test_options)
{
  static const struct hidden_name names[] = {
    { hidden_options, "log:output=2024Secret", "log:output=arg-", "" },
    { hidden_options, "log:output=7letters", "log:output=arg-", "" },
    { hidden_options, "log:heapshot=5gc,flush=50ms", "log:heapshot=5gc,", "flush=50ms" },
    { hidden_options, "proflog:format=auto,alloc", "proflog:format=auto,", ",alloc" },
    { hidden_options, "proflog:format=Secret", "proflog:format=arg-", "" },
    { hidden_options, "proflog:secret=Secret,alloc", "proflog:arg-", ",alloc" },
    { hidden_options, "proflog", "proflog", "proflog" },
    { hidden_options, "Secret:alloc", "arg-", ":alloc" },
    { hidden_options, "Secret", "arg-", "" },
    { hidden_options, "log:alloc,output='Secret", "log:alloc,arg-", "" },
  };
  expect_all (names, G_N_ELEMENTS (names));
}

/* The rest of a command line with an option that is too long is one word. */
TEST (test_long_option)
{
  GString *options = g_string_new ("log:alloc,output=Secret");
  for (size_t i = 0; i < PROFLOG_OPTION_SIZE; i++)
    g_string_append_c (options, 'x');
  g_string_append (options, ",calls");
  expect (hidden_options, options->str, "log:alloc,arg-", "");
  g_string_free (options, TRUE);
}
