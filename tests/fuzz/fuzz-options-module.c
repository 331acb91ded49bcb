/* fuzz-options-module.c -- any text as the options of the module: they are accepted, or refused
 * with a reason; their selection can be queried. */
#include "config.h"

#include "profiler/options/options.h"
#include "tests/fuzz/fuzz.h"

static bool
can_compress (enum pack pack)
{
  return pack == PACK_GZIP;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const struct callspec_method method
      = { "Program", "Name.Space", "Name.Space.Type", "Main", true };
  struct options options;
  char why[256] = "";
  g_autofree char *text = fuzz_text (data, size);
  if (!options_parse (&options, text, can_compress, why, sizeof why)) {
    if (*why == 0 || memchr (why, 0, sizeof why) == NULL)
      g_error ("there is no reason why '%s' is refused", text);
    return 0;
  }
  options_classes (&options);
  callspec_matches (&options.callspec, &method);
  return 0;
}
