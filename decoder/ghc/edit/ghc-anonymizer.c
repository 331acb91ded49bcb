/* ghc-anonymizer.c -- replaces names, texts and addresses in events. */
#include "config.h"

#include "decoder/ghc/edit/ghc-anonymizer.h"
#include "decoder/ghc/ghc-describe.h"
#include <string.h>

/* Bytes of a hash that make a word; they are written in hex. */
#define HASH_BYTES 6
#define KEY_BYTES 32

static const struct {
  const char *name;
  const char *word; /* what replaced texts begin with */
} secrets[GHC_SECRETS] = {
  [GHC_SECRET_ARGS] = { "args", "arg" },         [GHC_SECRET_ENV] = { "env", "env" },
  [GHC_SECRET_MESSAGES] = { "messages", "msg" }, [GHC_SECRET_LABELS] = { "labels", "label" },
  [GHC_SECRET_NAMES] = { "names", "name" },      [GHC_SECRET_BYTES] = { "bytes", "" },
};

enum ghc_secret
ghc_secret_of_name (const char *name)
{
  unsigned i = 0;
  while (i < GHC_SECRETS && strcmp (name, secrets[i].name) != 0)
    i++;
  return (enum ghc_secret) i;
}

const char *
ghc_secret_name (enum ghc_secret secret)
{
  return secrets[secret].name;
}

static GBytes *
random_key (void)
{
  guint32 words[KEY_BYTES / sizeof (guint32)];
  GRand *random = g_rand_new (); /* seeded from /dev/urandom */
  for (size_t i = 0; i < G_N_ELEMENTS (words); i++)
    words[i] = g_rand_int (random);
  g_rand_free (random);
  return g_bytes_new (words, sizeof words);
}

void
ghc_anonymizer_init (struct ghc_anonymizer *a, const char *key)
{
  *a = (struct ghc_anonymizer){
    .key = key != NULL ? g_bytes_new (key, strlen (key)) : random_key (),
    .texts = g_string_chunk_new (4096),
  };
}

void
ghc_anonymizer_clear (struct ghc_anonymizer *a)
{
  g_bytes_unref (a->key);
  g_string_chunk_free (a->texts);
}

/* ---- texts ---- */

static void
hash (const struct ghc_anonymizer *a, struct ghc_text text, uint8_t *to)
{
  uint8_t digest[32];
  gsize length = sizeof digest, key_length;
  const guchar *key = g_bytes_get_data (a->key, &key_length);
  GHmac *hmac = g_hmac_new (G_CHECKSUM_SHA256, key, key_length);
  g_hmac_update (hmac, (const guchar *) text.text, (gssize) text.length);
  g_hmac_get_digest (hmac, digest, &length);
  g_hmac_unref (hmac);
  memcpy (to, digest, HASH_BYTES);
}

static void
append_word (const struct ghc_anonymizer *a, GString *to, const char *word, struct ghc_text text)
{
  uint8_t bytes[HASH_BYTES];
  if (text.length == 0)
    return;
  hash (a, text, bytes);
  g_string_append (to, word);
  g_string_append_c (to, '-');
  for (size_t i = 0; i < HASH_BYTES; i++)
    g_string_append_printf (to, "%02x", bytes[i]);
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
replace_text (struct ghc_anonymizer *a, enum ghc_secret secret, struct ghc_text text)
{
  GString *to = g_string_new (NULL);
  append_word (a, to, secrets[secret].word, text);
  return store_text (a, to);
}

/* Name and value of a variable are replaced each for itself. */
static void
append_variable (const struct ghc_anonymizer *a, GString *to, struct ghc_text text)
{
  const char *is = text.length != 0 ? memchr (text.text, '=', text.length) : NULL;
  const size_t name = is != NULL ? (size_t) (is - text.text) : text.length;
  append_word (a, to, secrets[GHC_SECRET_ENV].word, (struct ghc_text){ text.text, name });
  if (is == NULL)
    return;
  g_string_append_c (to, '=');
  append_word (a, to, "value", (struct ghc_text){ is + 1, text.length - name - 1 });
}

/* Whole texts only, as many as an event has room for. */
static struct ghc_texts
replace_texts (struct ghc_anonymizer *a, enum ghc_secret secret, struct ghc_texts texts)
{
  const size_t most = GHC_PAYLOAD_MAX - sizeof (uint32_t);
  const bool is_closed = texts.length != 0 && texts.text[texts.length - 1] == 0;
  GString *to = g_string_new (NULL);
  struct ghc_text text;
  while (ghc_texts_next (&texts, &text)) {
    const gsize before = to->len;
    if (secret == GHC_SECRET_ENV)
      append_variable (a, to, text);
    else
      append_word (a, to, secrets[secret].word, text);
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

/* Labels of samples of some sorts are the runtime's words and numbers.  Among kinds of closures
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

static enum ghc_secret
secret_of (const struct ghc_anonymizer *a, enum ghc_kind kind, const struct ghc_field *field)
{
  if (kind == GHC_HEAP_PROF_SAMPLE_STRING && is_of_runtime (a, &a->payload.heap_prof_sample_string))
    return GHC_NO_SECRET;
  switch (field->unit) {
  case GHC_UNIT_ARGUMENT:
    return GHC_SECRET_ARGS;
  case GHC_UNIT_ENVIRONMENT:
    return GHC_SECRET_ENV;
  case GHC_UNIT_MESSAGE:
    return GHC_SECRET_MESSAGES;
  case GHC_UNIT_LABEL:
    return GHC_SECRET_LABELS;
  case GHC_UNIT_BYTES:
    return GHC_SECRET_BYTES;
  case GHC_UNIT_PUBLIC_TEXT:
    return GHC_NO_SECRET;
  default:
    return GHC_SECRET_NAMES;
  }
}

static void
replace_field (struct ghc_anonymizer *a, enum ghc_kind kind, const struct ghc_field *field)
{
  void *value = (char *) &a->payload + field->offset;
  const enum ghc_secret secret = secret_of (a, kind, field);
  if (secret == GHC_NO_SECRET || a->keeps[secret])
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
    uint8_t hashed[HASH_BYTES];
    hash (a, *bytes, hashed);
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
  if (event->more.length != 0 && !a->keeps[GHC_SECRET_BYTES])
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
