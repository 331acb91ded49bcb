/* test-method-words.c -- names that compilers make, and their meanings. */
#include "config.h"

#include "decoder/core/method-words.h"
#include "tests/unit/test.h"
#include <glib.h>
#include <string.h>

static void
expect (const char *name, const char *words)
{
  g_autofree char *found = method_words (name, false);
  assert_string_equal (found, words);
  const char *arguments = strstr (name, " (");
  if (arguments == NULL || name[0] == '(')
    return;
  g_autofree char *whole = method_words (name, true),
                  *expected = g_strconcat (words, arguments, NULL);
  assert_string_equal (whole, expected);
}

TEST (test_plain)
{
  expect ("Catalog:Normalize (string)", "Catalog:Normalize");
  expect ("Shop.Catalog`1<T_REF>:Add (T_REF)", "Shop.Catalog`1<T_REF>:Add");
  expect ("(wrapper alloc) object:AllocSmall (intptr,intptr)",
          "(wrapper alloc) object:AllocSmall (intptr,intptr)");
  expect ("System.Collections.Generic.List`1/Enumerator<T_REF>:MoveNext ()",
          "System.Collections.Generic.List`1/Enumerator<T_REF>:MoveNext");
  expect ("", "");
  expect ("memcpy", "memcpy");
  expect ("[recording]", "[recording]");
}

TEST (test_lambdas)
{
  expect ("Shop.Catalog/<>c:<PriceOf>b__0_0 (Shop.Item)", "lambda in Shop.Catalog:PriceOf");
  expect ("Shop.Catalog/<>c__DisplayClass1_0:<PriceOf>b__0 ()", "lambda in Shop.Catalog:PriceOf");
  expect ("Tills/<Main>c__AnonStorey1:<>m__0 ()", "lambda in Tills:Main");
  expect ("Tills:<Main>m__0 (object)", "lambda in Tills:Main");
  expect ("Catalog/<PriceOf>c__async0/<PriceOf>c__AnonStorey1:<>m__0 (Product)",
          "lambda in Catalog:PriceOf");
  expect ("A/<>c:<.ctor>b__0_0 ()", "lambda in A:.ctor");
}

TEST (test_further_lambdas)
{
  expect ("Shop.Catalog/<>c:<PriceOf>b__3_1 (Shop.Item)", "lambda 2 in Shop.Catalog:PriceOf");
  expect ("Tills:<Main>m__11 (object)", "lambda in Tills:Main");
  expect ("Catalog/<>c/<<Main>b__0_2>d:MoveNext ()",
          "lambda 3 in Catalog:Main (async or iterator)");
}

TEST (test_others)
{
  expect ("Catalog:<PriceOf>g__Round|3_0 (int)", "Round in Catalog:PriceOf");
  expect ("Catalog/<PriceOf>d__3:MoveNext ()", "Catalog:PriceOf (async or iterator)");
  expect ("Catalog/<PriceOf>c__async0:MoveNext ()", "Catalog:PriceOf (async)");
  expect ("Tree`1/<All>c__Iterator0<T_INT>:MoveNext ()", "Tree`1:All (iterator)");
  expect ("Catalog/<>c/<<Main>b__0_0>d:MoveNext ()", "lambda in Catalog:Main (async or iterator)");
  expect ("Catalog/<PriceOf>d__3:Dispose ()", "Catalog/<PriceOf>d__3:Dispose");
}

TEST (test_unfinished)
{
  expect ("A/<B:C ()", "A/<B:C");
  expect ("A:<B", "A:<B");
  expect ("A:<>", "A:<>");
  expect ("<>:<>b__ ()", "<>:<>b__");
  expect (":", ":");
  expect ("A:<B>g__", "A:B");
}
