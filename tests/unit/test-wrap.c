/* test-wrap.c -- lines in a width, and sizes; written by hand. */
#include "config.h"

#include "decoder/output/figure.h"
#include "decoder/output/wrap.h"
#include "tests/unit/test.h"

static void
check_wrap (const char *text, unsigned indent, unsigned columns, const char *expected)
{
  GString *out = g_string_new (NULL);
  wrap_append (out, text, indent, columns);
  assert_string_equal (out->str, expected);
  g_string_free (out, TRUE);
}

TEST (test_wrap)
{
  check_wrap ("one two three", 0, 0, "one two three\n");
  check_wrap ("one two three", 2, 15, "  one two three\n");
  check_wrap ("one two three", 2, 14, "  one two\n    three\n");
  check_wrap ("one two three", 0, 3, "one\n  two\n  three\n");
  check_wrap ("a word-that-is-longer b", 0, 10, "a\n  word-that-is-longer\n  b\n");
  check_wrap ("two.  Blanks stay", 0, 40, "two.  Blanks stay\n");
  check_wrap ("\303\204\303\226\303\234 \303\204\303\226\303\234", 0, 7,
              "\303\204\303\226\303\234 \303\204\303\226\303\234\n");
  check_wrap ("", 4, 10, "    \n");
}

static void
check_bytes (uint64_t bytes, const char *expected)
{
  char *text = figure_bytes_text (bytes);
  assert_string_equal (text, expected);
  g_free (text);
}

TEST (test_bytes)
{
  check_bytes (0, "0 bytes");
  check_bytes (1, "1 byte");
  check_bytes (999, "999 bytes");
  check_bytes (1000, "1.0 kB");
  check_bytes (999949, "999.9 kB");
  check_bytes (999951, "1.0 MB");
  check_bytes (12560792, "12.6 MB");
  check_bytes (UINT64_MAX, "18.4 EB");
}

static void
check_short (const char *text, size_t width, const char *expected)
{
  char *shortened = text_shorten (text, width);
  assert_string_equal (shortened, expected);
  g_free (shortened);
}

TEST (test_shorten)
{
  check_short ("Space.Class:Method (int,string)", 31, "Space.Class:Method (int,string)");
  check_short ("Space.Class:Method (int,string)", 30, "Class:Method (int,string)");
  check_short ("Space.Class:Method (int,string)", 25, "Class:Method (int,string)");
  check_short ("Space.Class:Method (int,string)", 24, "Class:Method (...)");
  check_short ("Space.Class:Method (int,string)", 17, "Class:Method");
  check_short ("Space.Class:Method (int,string)", 11, "...s:Method");
  check_short ("Space.Class:Method ()", 20, "Class:Method ()");
  check_short ("Space.Class:Method (int) [native]", 32, "Class:Method (int) [native]");
  check_short ("Space.Class:Method (int) [native]", 22, "Class:Method [native]");
  check_short ("(wrapper alloc) object:Alloc (intptr)", 34, "(wrapper alloc) object:Alloc (...)");
  check_short ("  (wrapper alloc) object:Alloc (intptr)", 21, "  object:Alloc");
  /* No methods: the end of a word stays. */
  check_short ("/home/somebody/app.exe (1)", 20, "/home/som....exe (1)");
  check_short ("Warning.Disk: it is nearly full (9 %)", 20, "Warning.D...ll (9 %)");
  check_short ("abcdefghij", 4, "ab...hij");
}

/* Namespaces go before types and arguments: those of arguments first, then that of the class, of
 * which nested classes remain. */
TEST (test_shorten_methods)
{
  static const char threads[] = "System.Threading.Thread:Start (System.Object,System.Int32&)";
  check_short (threads, 58, "System.Threading.Thread:Start (Object,Int32&)");
  check_short (threads, 44, "Thread:Start (Object,Int32&)");
  check_short (threads, 27, "Thread:Start (...)");
  check_short ("  lambda 2 in Shop.Data.Catalog/Line:PriceOf (int)", 49,
               "  lambda 2 in Catalog/Line:PriceOf (int)");
  check_short ("Shop.Catalog:.ctor ()", 20, "Catalog:.ctor ()");
  check_short ("Shop.Catalog:PriceOf (async or iterator) (Shop.Item)", 51,
               "Shop.Catalog:PriceOf (async or iterator) (Item)");
  check_short ("Shop.Catalog:PriceOf (async or iterator) (Shop.Item)", 46,
               "Catalog:PriceOf (async or iterator) (Item)");
}

/* Types lose their namespaces first, names of files the middle. */
TEST (test_shorten_types)
{
  static const char entries[]
      = "System.Collections.Generic.Dictionary`2/Entry<System.String, Shop.Item>[]";
  check_short ("System.Collections.Generic.List", 30, "List");
  check_short ("System.Collections.Generic.List`1[]", 20, "List`1[]");
  check_short ("Shop.Catalog/PriceChangedHandler", 22, "PriceChangedHandler");
  check_short ("Shop.Catalog/PriceChangedHandler", 27, "Catalog/PriceChangedHandler");
  check_short ("Shop.Catalog/PriceChangedHandler", 18, "Shop....gedHandler");
  check_short ("Dictionary.Entry<A.B,C.D>", 20, "Entry<B,D>");
  check_short (entries, 34, "Dictionary`2/Entry<String, Item>[]");
  check_short (entries, 30, "Dictionary/Entry<>[]");
  check_short (entries, 12, "Entry<>[]");
  check_short ("/usr/lib/mono/4.5/mscorlib.dll", 20, "/usr/l...scorlib.dll");
  check_short ("libmonosgen-2.0.so.1.0.0", 20, "libmon....0.so.1.0.0");
}

/* The types of generics go before arguments; names of compilers are not generics. */
TEST (test_shorten_generics)
{
  static const char items[] = "System.Collections.Generic.Dictionary`2<System.String, "
                              "Shop.Item>/Keys:Find (System.Func`2<Shop.Item, bool>)";
  check_short (items, 107,
               "System.Collections.Generic.Dictionary`2<System.String, Shop.Item>/Keys:"
               "Find (Func`2<Item, bool>)");
  check_short (items, 90, "Dictionary`2<String, Item>/Keys:Find (Func`2<Item, bool>)");
  check_short (items, 56, "Dictionary<>/Keys:Find (Func`2<Item, bool>)");
  check_short (items, 42, "Dictionary<>/Keys:Find (...)");
  check_short (items, 16, "Keys:Find");
  check_short (items, 8, "...:Find");
  check_short ("A.B/<>c__Outer`1<T>:<Main>b__0 (int)", 35, "B/<>c__Outer`1<T>:<Main>b__0 (int)");
  check_short ("A.B/<>c__Outer`1<T>:<Main>b__0 (int)", 33, "B/<>c__Outer<>:<Main>b__0 (int)");
}
