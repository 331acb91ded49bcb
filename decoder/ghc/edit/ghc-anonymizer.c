/* ghc-anonymizer.c -- replaces names, texts and addresses in events. */
#include "config.h"

#include "decoder/ghc/edit/ghc-anonymizer.h"
#include "decoder/ghc/ghc-describe.h"
#include "decoder/ghc/ghc-losses.h"
#include <string.h>

void
ghc_anonymizer_init (struct ghc_anonymizer *a, const struct secrets *secrets)
{
  *a = (struct ghc_anonymizer){ .secrets = secrets, .texts = g_string_chunk_new (4096) };
}

void
ghc_anonymizer_clear (struct ghc_anonymizer *a)
{
  g_string_chunk_free (a->texts);
}

/* ---- texts ---- */

static void
append_word (const struct ghc_anonymizer *a, GString *to, const char *word, struct ghc_text text)
{
  secrets_append (a->secrets, to, word, text.text, text.length);
}

static struct ghc_text
store_text (struct ghc_anonymizer *a, GString *text)
{
  const gsize length = text->len;
  const struct ghc_text kept
      = { g_string_chunk_insert_len (a->texts, text->str, (gssize) length), length };
  g_string_free (text, TRUE);
  return kept;
}

static struct ghc_text
replace_text (struct ghc_anonymizer *a, enum secret secret, struct ghc_text text)
{
  GString *to = g_string_new (NULL);
  append_word (a, to, secret_word (secret), text);
  return store_text (a, to);
}

/* Name and value of a variable are replaced each for itself. */
static void
append_variable (const struct ghc_anonymizer *a, GString *to, struct ghc_text text)
{
  const char *is = text.length != 0 ? memchr (text.text, '=', text.length) : NULL;
  const size_t name = is != NULL ? (size_t) (is - text.text) : text.length;
  append_word (a, to, secret_word (SECRET_ENV), (struct ghc_text){ text.text, name });
  if (is == NULL)
    return;
  g_string_append_c (to, '=');
  append_word (a, to, "value", (struct ghc_text){ is + 1, text.length - name - 1 });
}

/* Whole texts only, as many as an event has room for. */
static struct ghc_texts
replace_texts (struct ghc_anonymizer *a, enum secret secret, struct ghc_texts texts)
{
  const size_t most = GHC_PAYLOAD_MAX - sizeof (uint32_t);
  const bool is_closed = texts.length != 0 && texts.text[texts.length - 1] == 0;
  GString *to = g_string_new (NULL);
  struct ghc_text text;
  while (ghc_texts_next (&texts, &text)) {
    const gsize before = to->len;
    if (secret == SECRET_ENV)
      append_variable (a, to, text);
    else
      append_word (a, to, secret_word (secret), text);
    if (texts.length != 0 || is_closed)
      g_string_append_c (to, 0);
    if (to->len > most) {
      g_string_truncate (to, before);
      break;
    }
  }
  const struct ghc_text all = store_text (a, to);
  return (struct ghc_texts){ all.text, all.length };
}

/* ---- events ---- */

/* Words of the runtime, such as MUT_ARR_PTRS_CLEAN, and addresses. */
static bool
is_word_of_runtime (struct ghc_text text)
{
  const bool is_address = text.length > 2 && memcmp (text.text, "0x", 2) == 0;
  for (size_t i = is_address ? 2 : 0; i < text.length; i++) {
    const char c = text.text[i];
    if (is_address ? !g_ascii_isxdigit (c)
                   : !g_ascii_isupper (c) && !g_ascii_isdigit (c) && c != '_')
      return false;
  }
  return true;
}

/* Labels of samples of some kinds are the runtime's words and numbers.  Among kinds of closures
 * there are constructors of the program, too: "main:Main.Secret". */
static bool
is_of_runtime (const struct ghc_anonymizer *a, const struct ghc_heap_prof_sample_string *sample)
{
  switch (a->breakdowns[sample->profile]) {
  case GHC_BREAKDOWN_BIOGRAPHY:
  case GHC_BREAKDOWN_CLOSURE_TYPE:
  case GHC_BREAKDOWN_INFO_TABLE:
  case GHC_BREAKDOWN_ERA:
    return is_word_of_runtime (sample->label);
  default:
    return false;
  }
}

static enum secret
secret_of (const struct ghc_anonymizer *a, enum ghc_kind kind, const struct ghc_field *field)
{
  if (kind == GHC_HEAP_PROF_SAMPLE_STRING && is_of_runtime (a, &a->payload.heap_prof_sample_string))
    return NO_SECRET;
  switch (field->unit) {
  case GHC_UNIT_ARGUMENT:
    return SECRET_ARGS;
  case GHC_UNIT_ENVIRONMENT:
    return SECRET_ENV;
  case GHC_UNIT_MESSAGE:
    return SECRET_MESSAGES;
  case GHC_UNIT_LABEL:
    return SECRET_LABELS;
  case GHC_UNIT_BYTES:
    return SECRET_BYTES;
  case GHC_UNIT_PUBLIC_TEXT:
    return NO_SECRET;
  default:
    return SECRET_NAMES;
  }
}

static void
replace_field (struct ghc_anonymizer *a, enum ghc_kind kind, const struct ghc_field *field)
{
  void *value = (char *) &a->payload + field->offset;
  const enum secret secret = secret_of (a, kind, field);
  if (secret == NO_SECRET || a->secrets->keeps[secret])
    return;
  switch (field->wire) {
  case GHC_WIRE_STR:
  case GHC_WIRE_STR_BUT_4:
  case GHC_WIRE_STRZ:
    *(struct ghc_text *) value = replace_text (a, secret, *(const struct ghc_text *) value);
    break;
  case GHC_WIRE_STRZS:
    *(struct ghc_texts *) value = replace_texts (a, secret, *(const struct ghc_texts *) value);
    break;
  case GHC_WIRE_BYTES: {
    struct ghc_text *bytes = value;
    uint8_t hashed[SECRET_HASH_BYTES];
    secrets_hash (a->secrets, bytes->text, bytes->length, hashed);
    const size_t length = MIN (bytes->length, sizeof hashed);
    *bytes = (struct ghc_text){
      g_string_chunk_insert_len (a->texts, (const char *) hashed, (gssize) length), length
    };
    break;
  }
  default:
    break;
  }
}

/* As many zeros. */
static struct ghc_text
zeros (struct ghc_anonymizer *a, size_t length)
{
  GString *text = g_string_new (NULL);
  g_string_set_size (text, length);
  memset (text->str, 0, length);
  return store_text (a, text);
}

static bool
has_text (const struct ghc_description *description)
{
  for (size_t i = 0; i < description->n_fields; i++)
    if (description->fields[i].wire > GHC_WIRE_U64 && description->fields[i].wire != GHC_WIRE_STACK)
      return true;
  return false;
}

void
ghc_anonymizer_event (struct ghc_anonymizer *a, const struct ghc_item *item,
                      struct ghc_event *event)
{
  g_string_chunk_clear (a->texts);
  if (ghc_is_of_writer (item))
    return;
  if (event->more.length != 0 && !a->secrets->keeps[SECRET_BYTES])
    event->more = zeros (a, event->more.length);
  if (item->kind == GHC_UNKNOWN)
    return;
  if (item->kind == GHC_HEAP_PROF_BEGIN)
    a->breakdowns[item->payload->heap_prof_begin.profile]
        = (uint8_t) MIN (item->payload->heap_prof_begin.breakdown, UINT8_MAX);
  const struct ghc_description *description = ghc_describe (item->kind);
  if (!has_text (description))
    return;
  memcpy (&a->payload, item->payload, description->payload_size);
  event->payload = &a->payload;
  for (size_t i = 0; i < description->n_fields; i++)
    replace_field (a, item->kind, &description->fields[i]);
}
