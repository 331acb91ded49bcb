/* test-hidden-names.c -- what of a name stays. */
#include "config.h"

#include "decoder/mlpd/edit/hidden-names.h"
#include "tests/unit/test.h"
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

TEST (test_methods)
{
  expect (hidden_method, "System.Array:Resize<Secret> (Secret[]&,int)", "System.Array:Resize<name-",
          "[]&,int)");
  expect (hidden_method, "System.Linq.Enumerable:Select<Shop.Secret, int> (object)",
          "System.Linq.Enumerable:Select<name-", ", int> (object)");
  expect (hidden_method, "(wrapper dynamic-method) System.Object:MySecret (int)",
          "(wrapper dynamic-method) System.Object:name-", " (int)");
  expect (hidden_method, "System.Threading.Monitor:Wait (object)", "System.Threading.Monitor:Wait ",
          "(object)");
  expect (hidden_method, "Secret.Program:Main (string[])", "name-", ":Main (string[])");
}

TEST (test_symbols)
{
  expect (hidden_symbol, "strSecret", "name-", "");
  expect (hidden_symbol, "memberSecret", "name-", "");
  expect (hidden_symbol, "__Secret", "name-", "");
  expect (hidden_symbol, "memcpy", "memcpy", "memcpy");
}

TEST (test_files)
{
  expect (hidden_file, "/usr/lib/mono/gac/Secret/1.0.0.0__ab/Secret.dll", "name-", ".dll");
  expect (hidden_file, "/home/Secret/System.Xml.dll", "name-", "/System.Xml.dll");
  expect (hidden_file, "/usr/lib/mono/4.5/mscorlib.dll", "/usr/lib/mono/4.5/mscorlib.dll", "");
}

TEST (test_options)
{
  expect (hidden_options, "log:output=2024Secret", "log:output=arg-", "");
  expect (hidden_options, "log:output=7letters", "log:output=arg-", "");
  expect (hidden_options, "log:heapshot=5gc,flush=50ms", "log:heapshot=5gc,", "flush=50ms");
}
