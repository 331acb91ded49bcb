/* print-eventlog-events.c -- prints haskell/Proflog/EventlogEvents.hsc: the posting functions of
 * eventlog-writer.h for Haskell, made from the list of events.
 *
 *   print-eventlog-events           the module
 *   print-eventlog-events --calls   a program for tests that calls each of them once
 */
#include "config.h"

#include "decoder/ghc/ghc-decode.h"
#include "decoder/ghc/ghc-describe.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct {
  const char *type, *put, *sample;
} wires[] = {
  [GHC_WIRE_U8] = { "Word8", "putNumber", "0x50" },
  [GHC_WIRE_U16] = { "Word16", "putNumber", "1" },
  [GHC_WIRE_U32] = { "Word32", "putNumber", "3" },
  [GHC_WIRE_U64] = { "Word64", "putNumber", "1000" },
  [GHC_WIRE_STR] = { "ByteString", "putText", "(pack \"text\")" },
  [GHC_WIRE_STR_BUT_4] = { "ByteString", "putText", "(pack \"text\")" },
  [GHC_WIRE_STRZ] = { "ByteString", "putText", "(pack \"15\")" },
  [GHC_WIRE_STRZS] = { "[ByteString]", "putTexts", "[pack \"one\", pack \"two\"]" },
  [GHC_WIRE_STACK] = { "[Word32]", "putStack", "[1, 2]" },
  [GHC_WIRE_BYTES] = { "ByteString", "putText", "(pack \"\\1\\2\\3\")" },
};

/* The marker of blocks is the writer's alone. */
static const struct ghc_description *
posted (int kind)
{
  return kind != GHC_BLOCK_MARKER ? ghc_describe ((enum ghc_kind) kind) : NULL;
}

/* "create-thread" as CreateThread. */
static void
print_camel (const char *name)
{
  bool upper = true;
  for (; *name != 0; name++) {
    if (*name != '-')
      putchar (upper ? toupper ((unsigned char) *name) : *name);
    upper = *name == '-';
  }
}

/* As it is in C. */
static void
print_id (const char *name)
{
  for (; *name != 0; name++)
    putchar (*name == '-' ? '_' : *name);
}

/* A field's name, with a suffix if Haskell has a keyword or function of that name. */
static void
print_variable (const char *name)
{
  bool upper = false;
  for (const char *p = name; *p != 0; p++) {
    if (*p != '_')
      putchar (upper ? toupper ((unsigned char) *p) : *p);
    upper = *p == '_';
  }
  if (strcmp (name, "module") == 0 || strcmp (name, "gcd") == 0)
    putchar ('_');
}

static void
print_function (const struct ghc_description *d)
{
  printf ("\n-- | %c%s", toupper ((unsigned char) d->doc[0]), d->doc + 1);
  for (size_t i = 0; i < d->n_fields; i++)
    printf ("%s%s", i == 0 ? ": " : "; ", d->fields[i].doc);
  printf (".\npost");
  print_camel (d->name);
  printf (" :: Writer -> Cap");
  for (size_t i = 0; i < d->n_fields; i++)
    printf (" -> %s", wires[d->fields[i].wire].type);
  printf (" -> IO Result\npost");
  print_camel (d->name);
  printf (" w blockCap");
  for (size_t i = 0; i < d->n_fields; i++) {
    putchar (' ');
    print_variable (d->fields[i].name);
  }
  printf (" =\n  withEvent #{size struct ghc_");
  print_id (d->name);
  printf ("} $ \\e ->\n");
  for (size_t i = 0; i < d->n_fields; i++) {
    printf ("    %s e #{offset struct ghc_", wires[d->fields[i].wire].put);
    print_id (d->name);
    printf (", %s} ", d->fields[i].name);
    print_variable (d->fields[i].name);
    puts (" $");
  }
  printf ("    c_post_");
  print_id (d->name);
  printf (" w blockCap e\n\nforeign import ccall safe \"eventlog_post_");
  print_id (d->name);
  printf ("\"\n  c_post_");
  print_id (d->name);
  puts (" :: Writer -> Cap -> Ptr () -> IO Result");
}

static const char module_start[] = "-- | Posts the events of an eventlog, one function for each.\n"
                                   "--\n"
                                   "-- Made from @include\\/proflog\\/ghc-events.def@ by "
                                   "@haskell\\/print-eventlog-events@; do not edit.\n"
                                   "module Proflog.EventlogEvents\n";

static const char module_imports[]
    = ") where\n\n"
      "#include <proflog/eventlog-writer.h>\n\n"
      "import Data.ByteString (ByteString)\n"
      "import qualified Data.ByteString as B\n"
      "import Data.ByteString.Unsafe (unsafeUseAsCStringLen)\n"
      "import Data.Word (Word16, Word32, Word64, Word8)\n"
      "import Foreign.C.Types (CInt (..), CSize)\n"
      "import Foreign.Marshal.Alloc (allocaBytes)\n"
      "import Foreign.Marshal.Utils (fillBytes)\n"
      "import Foreign.Ptr (Ptr, plusPtr)\n"
      "import Foreign.Storable (Storable, pokeByteOff, pokeElemOff)\n"
      "import Proflog.EventlogWriter (Cap, Result (..), Writer (..))\n\n"
      "-- All its fields are there.\n"
      "withEvent :: Int -> (Ptr () -> IO a) -> IO a\n"
      "withEvent size use = allocaBytes size $ \\e -> do\n"
      "  fillBytes e 0 size\n"
      "  pokeByteOff e 0 (maxBound :: Word32)\n"
      "  use e\n\n"
      "putNumber :: Storable n => Ptr () -> Int -> n -> IO a -> IO a\n"
      "putNumber e at number use = pokeByteOff e at number >> use\n\n"
      "putText :: Ptr () -> Int -> ByteString -> IO a -> IO a\n"
      "putText e at text use = unsafeUseAsCStringLen text $ \\(bytes, n) -> do\n"
      "  pokeByteOff e (at + #{offset struct ghc_text, text}) bytes\n"
      "  pokeByteOff e (at + #{offset struct ghc_text, length}) (fromIntegral n :: CSize)\n"
      "  use\n\n"
      "-- Each is closed by a NUL.\n"
      "putTexts :: Ptr () -> Int -> [ByteString] -> IO a -> IO a\n"
      "putTexts e at texts = putText e at (B.concat (map (`B.snoc` 0) texts))\n\n"
      "-- One that is too long is refused as a whole.\n"
      "putStack :: Ptr () -> Int -> [Word32] -> IO a -> IO a\n"
      "putStack e at stack use = do\n"
      "  let items = e `plusPtr` (at + #{offset struct ghc_stack, items})\n"
      "  sequence_ [pokeElemOff items i n | (i, n) <- zip [0 .. #{const GHC_STACK_MAX} - 1] "
      "stack]\n"
      "  pokeByteOff e (at + #{offset struct ghc_stack, count}) (fromIntegral (length stack) :: "
      "CSize)\n"
      "  use\n";

static void
print_module (void)
{
  bool first = true;
  fputs (module_start, stdout);
  for (int kind = 0; kind < GHC_KINDS; kind++) {
    const struct ghc_description *d = posted (kind);
    if (d == NULL)
      continue;
    printf ("  %c post", first ? '(' : ',');
    print_camel (d->name);
    puts ("");
    first = false;
  }
  printf ("  %s", module_imports);
  for (int kind = 0; kind < GHC_KINDS; kind++)
    if (posted (kind) != NULL)
      print_function (posted (kind));
}

static void
print_calls (void)
{
  puts ("module Calls (calls) where\n\nimport Data.ByteString.Char8 (pack)\n"
        "import Proflog.EventlogEvents\nimport Proflog.EventlogWriter (Result, Writer)\n\n"
        "calls :: Writer -> [IO Result]\ncalls w =");
  const char *comma = "[";
  for (int kind = 0; kind < GHC_KINDS; kind++) {
    const struct ghc_description *d = posted (kind);
    if (d == NULL || kind == GHC_HACK_BUG_T9003)
      continue;
    printf ("  %s post", comma);
    print_camel (d->name);
    printf (" w %d", kind % 3);
    for (size_t i = 0; i < d->n_fields; i++)
      printf (" %s", wires[d->fields[i].wire].sample);
    puts ("");
    comma = ",";
  }
  puts ("  ]");
}

int
main (int argc, char **argv)
{
  if (argc > 1 && strcmp (argv[1], "--calls") == 0)
    print_calls ();
  else
    print_module ();
  return 0;
}
